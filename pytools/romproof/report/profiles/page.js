'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const ROW = 22;
  const WIDTH_OF_A_LETTER = 7.3;
  const number = (value) => value.toLocaleString('en-US');
  const percent = (part, all) => `${(all ? (100 * part) / all : 0).toFixed(1)} %`;

  const element = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.append(made);
    return made;
  };

  const hue = (name) => {
    let sum = 0;
    for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
    return `h${sum % 6}`;
  };

  // A tree from lists: node 0 is the whole, the others are paths in their order.
  const treeOf = (data) => {
    const whole = { name: 'all', kind: 'root', own: 0, calls: 0, children: [], depth: 0 };
    const nodes = [whole];
    data.paths.forEach(([parent, routine, calls, own]) => {
      const above = nodes[parent + 1];
      const about = data.routines[routine] || ['(other paths)', 'routine', ''];
      const node = {
        name: about[0], kind: about[1], place: about[2], own, calls, above, children: [],
        depth: above.depth + 1,
      };
      above.children.push(node);
      nodes.push(node);
    });
    for (const node of [...nodes].reverse()) {
      node.all = node.own + node.children.reduce((sum, child) => sum + child.all, 0);
    }
    whole.all = data.cycles;
    return nodes;
  };

  const flame = (section, data) => {
    const box = section.querySelector('.flame');
    const told = section.querySelector('.flame-told');
    const search = section.querySelector('.search');
    const out = section.querySelector('.out');
    const nodes = treeOf(data);
    const whole = nodes[0];
    let zoomed = whole;
    let current = whole;
    let drawn = new Map();

    const label = (node) => {
      const kind = node.kind === 'interrupt' && node.depth === 1 ? ', an interrupt' : '';
      const calls = node.depth ? `, ${number(node.calls)} calls` : '';
      return `${node.name}${kind}: ${number(node.all)} ${data.unit}, ` +
        `${percent(node.all, whole.all)} of all; ${number(node.own)} of its own${calls}`;
    };
    const tell = (node) => {
      const path = [];
      for (let at = node; at; at = at.above) path.unshift(at.name);
      told.textContent = `${label(node)}. ${path.slice(1).join(' → ')}` +
        (node.place ? ` (${node.place})` : '');
    };

    const draw = () => {
      const focused = box.contains(document.activeElement);
      const width = Math.max(box.clientWidth - 4, 100);
      const above = [];
      for (let at = zoomed.above; at; at = at.above) above.unshift(at);
      const boxes = above.map((node, row) => [node, 0, width, row]);
      const place = (node, x, wide, row) => {
        boxes.push([node, x, wide, row]);
        let left = x;
        for (const child of node.children) {
          const part = node.all ? (wide * child.all) / node.all : 0;
          if (part >= 0.6) place(child, left, part, row + 1);
          left += part;
        }
      };
      place(zoomed, 0, width, above.length);
      const rows = 1 + Math.max(...boxes.map((entry) => entry[3]));
      const svg = element('svg', {
        width, height: rows * ROW, viewBox: `0 0 ${width} ${rows * ROW}`, role: 'group',
        'aria-label': 'Flame graph: a routine lies below the one that calls it',
      });
      const pattern = element('pattern', {
        id: `hatch${data.index}`, width: 7, height: 7, patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      }, element('defs', {}, svg));
      element('rect', { width: 7, height: 7, style: 'fill:var(--panel);stroke:none' }, pattern);
      element('line', { x1: 0, y1: 0, x2: 0, y2: 7, style: 'stroke:var(--hatch)' }, pattern);
      drawn = new Map();
      const wanted = search.value.trim().toLowerCase();
      let matched = 0;
      if (!boxes.some(([node]) => node === current)) current = zoomed;
      for (const [node, x, wide, row] of boxes) {
        const match = wanted && node.depth && node.name.toLowerCase().includes(wanted);
        const classes = [match ? 'match' : '', row < above.length ? 'above' : ''].join(' ').trim();
        const group = element('g', {
          role: 'button', tabindex: node === current ? 0 : -1, 'aria-label': label(node),
          class: classes,
        }, svg);
        const shape = element('rect', {
          x, y: row * ROW, width: Math.max(wide, 0.6), height: ROW - 1, class: 'box',
        }, group);
        if (node.kind === 'machine') shape.style.fill = `url(#hatch${data.index})`;
        else shape.classList.add(node.depth ? hue(node.name) : 'hroot');
        const letters = Math.floor((wide - 6) / WIDTH_OF_A_LETTER);
        const share = `${node.name} ${percent(node.all, whole.all)}`;
        const text = letters >= share.length ? share
          : letters >= node.name.length ? node.name
            : letters >= 3 ? `${node.name.slice(0, letters - 1)}…` : '';
        if (text) {
          if (node.kind === 'machine') {
            element('rect', {
              x: x + 2, y: row * ROW + 3, width: text.length * WIDTH_OF_A_LETTER + 2,
              height: ROW - 7, style: 'fill:var(--panel);stroke:none',
            }, group);
          }
          element('text', { x: x + 4, y: row * ROW + 15 }, group).textContent = text;
        }
        group.addEventListener('click', () => { current = node; zoom(node); });
        group.addEventListener('focus', () => tell(node));
        group.addEventListener('mouseenter', () => tell(node));
        group.addEventListener('keydown', (event) => key(event, node));
        drawn.set(node, group);
      }
      if (wanted) {
        const count = (node) => {
          if (node.depth && node.name.toLowerCase().includes(wanted)) matched += node.all;
          else node.children.forEach(count);
        };
        count(whole);
        told.textContent = `“${wanted}”: ${number(matched)} ${data.unit}, ` +
          `${percent(matched, whole.all)} of all, marked with dashes`;
      }
      box.replaceChildren(svg);
      out.disabled = zoomed === whole;
      if (focused) drawn.get(current).focus();
    };

    const zoom = (node) => { zoomed = node; draw(); if (!search.value) tell(node); };
    const go = (node) => {
      const group = node && drawn.get(node);
      if (!group) return;
      drawn.get(current).setAttribute('tabindex', -1);
      current = node;
      group.setAttribute('tabindex', 0);
      group.focus();
    };
    const beside = (node, step) => {
      const shown = (node.above ? node.above.children : []).filter((other) => drawn.has(other));
      return shown[shown.indexOf(node) + step];
    };
    const key = (event, node) => {
      const act = {
        ArrowUp: () => go(node.above),
        ArrowDown: () => go(node.children.find((child) => drawn.has(child))),
        ArrowLeft: () => go(beside(node, -1)),
        ArrowRight: () => go(beside(node, 1)),
        Enter: () => zoom(node),
        ' ': () => zoom(node),
        Escape: () => zoom(whole),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    search.addEventListener('input', draw);
    out.addEventListener('click', () => { current = whole; zoom(whole); });
    let last = 0;
    new ResizeObserver(() => {
      if (box.clientWidth !== last) { last = box.clientWidth; draw(); }
    }).observe(box);
    draw();
    tell(whole);
  };

  const map = (section, data) => {
    const chosen = section.querySelector('.of');
    const told = section.querySelector('.map-told');
    if (!chosen) return;
    const cells = [...section.querySelectorAll('.map button')];
    const sums = () => {
      const pages = new Map();
      for (const [routine, page, reads, writes] of data.accesses) {
        if (chosen.value !== '' && routine !== Number(chosen.value)) continue;
        const at = pages.get(page) || [0, 0];
        pages.set(page, [at[0] + reads, at[1] + writes]);
      }
      return pages;
    };
    const short = (page) => page.toString(16).toUpperCase().padStart(2, '0');
    const draw = () => {
      const pages = sums();
      const most = Math.max(1, ...[...pages.values()].map(([reads, writes]) => reads + writes));
      cells.forEach((cell, page) => {
        const [reads, writes] = pages.get(page) || [0, 0];
        cell.textContent = (reads ? 'r' : '') + (writes ? 'w' : '') || '·';
        cell.classList.toggle('write', writes > 0);
        const heat = reads + writes ? 0.12 + (0.4 * Math.log1p(reads + writes)) / Math.log1p(most) : 0;
        cell.style.background = heat ? `rgba(var(--heat),${heat.toFixed(2)})` : '';
        cell.setAttribute('aria-label', `page $${short(page)}: ${number(reads)} reads, ` +
          `${number(writes)} writes`);
      });
    };
    const tell = (page) => {
      const [reads, writes] = sums().get(page) || [0, 0];
      const by = data.accesses.filter((entry) => entry[1] === page)
        .sort((one, other) => other[2] + other[3] - one[2] - one[3]).slice(0, 6)
        .map(([routine, , r, w]) => `${data.routines[routine][0]} ${number(r)} r ${number(w)} w`);
      told.textContent = `$${short(page)}00–$${short(page)}FF: ${number(reads)} reads, ` +
        `${number(writes)} writes` + (by.length ? `; ${by.join(', ')}` : '');
    };
    cells.forEach((cell, page) => {
      cell.addEventListener('focus', () => {
        cells.forEach((other) => other.setAttribute('tabindex', -1));
        cell.setAttribute('tabindex', 0);
        tell(page);
      });
      cell.addEventListener('mouseenter', () => tell(page));
      cell.addEventListener('click', () => tell(page));
      cell.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -16, ArrowDown: 16 }[event.key];
        const next = step && cells[page + step];
        if (!next) return;
        event.preventDefault();
        next.focus();
      });
    });
    chosen.addEventListener('change', draw);
    draw();
  };

  for (const section of document.querySelectorAll('section.program')) {
    const data = JSON.parse(section.querySelector('script').textContent);
    flame(section, data);
    map(section, data);
  }
})();
