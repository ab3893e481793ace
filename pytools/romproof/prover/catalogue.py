"""The words of all that a proof says: what is stated of code, why that is not so or not known, what
a proof takes for granted. Each is a row; code knows it by its name (``romproof.text.messages``)."""

from __future__ import annotations

from romproof.text.messages import MessageKind


class Property(MessageKind):
    """What is stated of code."""

    # that there is something to state
    CAN_BE_FOLLOWED = "can be followed"
    SOLVERS_AGREE = "the solvers agree"
    SOME_INPUT = "some input is allowed"
    SOME_STACK = "some stack is allowed"
    SOME_RETURN = "some call returns"
    REACHED = "every invariant is reached"

    # contracts
    PRESERVES = "preserves {registers}"
    PRESERVES_NONE = "preserves no register"
    CHANGES_ONLY = "changes {places:comma} and nothing else"
    CHANGES_NOTHING = "changes no memory"
    STACK = "uses at most {most:bytes} of stack"
    READS_INPUTS = "reads only its inputs"
    APART = "keeps {names:comma} apart from all else"
    ENSURES = "ensures {condition}"
    ASSERTION = "assert at {place}: {condition}"
    SAME_STACK = "reaches {place} with the same stack each time"
    INVARIANTS = "invariants"
    INVARIANT = "invariant at {place}: {condition}"
    DEPENDS = "depends on its inputs only"
    SECRET = "keeps {names:comma} secret: no branch or address depends on it"
    LOOPS = "loops: {label} is executed {least}..{most} times"
    NATURAL = "decreases at {place}: {number} is natural"
    SMALLER = "decreases at {place}: {number} is smaller each time"
    SMALLER_BUT = "{smaller}, except where it waits for {waits:or}"
    RETURNS = "returns, for every input"
    CYCLES = "takes {claim} {unit}"
    CYCLES_CONSTANT = "takes {claim} {unit}, whatever its inputs"
    CYCLES_LIMITED = "takes a limited number of {unit}"
    SOME_CYCLES = "cycles"
    REST = "keeps the rest of its contract"
    CONTRACT = "keeps to its contract"
    EXECUTED = "does so when executed"
    OF_ROUTINE = "{routine}: {statement}"

    # models
    MODEL_FOLLOWED = "the model can be followed"
    MODEL_INPUT = "there is an input that is allowed"
    MODEL_TAKES_ALL = "the model takes every input"
    MODEL_GIVES = "the model gives something"
    MODEL_PLAIN = "the model does the same with plain numbers"
    MODEL_PLAIN_AT = "{here} the model does the same with plain numbers"
    MODEL_END = "reaches {place} where the model does"
    EQUALS_MODEL = "equals the model"
    PLACE_EQUALS_MODEL = "{place} equals the model"
    PLACE_EQUALS_MODEL_AT = "{there} {place} equals the model"
    MEANT = "{here} the values stand for the model's"
    MODEL_GOES_TOO = "{there} goes the model, too"
    ALWAYS = "{there} always {condition}"
    ASKED = "{here} {routine} can be asked"
    RECEIVES = "{here} {routine} receives the value of the model in {place}"
    PERMUTATION = "only exchanges bytes of {name}: it stays a permutation"
    CASES = "one of {count} cases is that of every input"

    # two versions
    COMPARABLE = "can be compared"
    COMMON_INPUT = "there is an input"
    SAME = "{place} is the same"
    LISTED_MEMORY = "'{routine}' uses no other memory than its contract lists"
    OF_VERSION = "'{routine}' {statement}"

    OTHER = "{text}"
    """What a caller of the prover states."""


class StageLocation(MessageKind):
    """Where something is, among the stages of a model."""

    FROM = "from {label}"
    FROM_ENTRY = "from the entry"
    BETWEEN = "{here} to {end}"


class InformationFlow(MessageKind):
    """What depends on something that it should not depend on, and on what."""

    WAY = "which way it goes"
    TIME = "the time"
    BRANCH = "a branch"
    ADDRESS = "an address"
    CELL = "a byte of {name}"
    NO_INPUT = "a value that is not an input"
    PORT = "a port"
    THE_PORT = "the port {name}"
    RETURN_ADDRESS = "where it was called"
    PUSHED_FLAGS = "the flags that the interrupt pushed"
    STACK = "the stack"
    CYCLES = "how long a call takes"
    ALL = "{names:comma}"
    THE_FIRST = "{names:comma} …"
    NAMED = "{name}"


class Reason(MessageKind):
    """Why a statement is not so, not known, or so only under a condition; or how it is so."""

    GIVEN = "{text}"
    """The words of an error, or of a part that has no kinds of its own."""

    # any claim
    UNDECIDED = "{claim}? {why}"
    NO_INPUT_SHOWS = "{claim}? no input is known that shows it"
    HERE = "{claim}: here {place}"
    LOADED = (
        "{claim}; the program is loaded with this value, but the memory may be written: if it is a "
        "table, place it in a read-only segment such as RODATA"
    )
    FROM_INVARIANT = "{claim}, from a state at {place} that its invariant allows"
    BY_CALLEE = "{claim} (by the contract of a callee)"
    DOES_NOT_HOLD = "it does not hold"
    RELIES_ON = "it relies on {basis}"
    UNPROVED = "'{statement}', which is {verdict}"
    UNPROVED_CONTRACT = "the contract, which is not proved"
    STOPS = "{place}: it {why}"
    NESTS = "its values nest too deeply"
    TOO_MANY_TERMS = "it takes more than {most:,} terms"
    TOO_MANY_VALUES = "it has too many values"
    TOO_MANY_INSTRUCTIONS = "it takes more than {most:,} instructions to execute"
    NOT_EXPLORED = "no contract was proved before, or the code could not be followed"
    LOOP_NOT_CUT = "{why}; the loop around {loop} is not cut: no invariant was found for it"
    INVARIANT_TOO_WEAK = (
        "{why}; an invariant to begin with, which holds but does not suffice: {lines:semicolon}"
    )
    INVARIANT_UNTRIED = (
        "{why}; an invariant to begin with, which holds and may suffice with more time: "
        "{lines:semicolon}"
    )
    VERDICT = "{verdict}"

    # registers, memory, stack
    NOT_PRESERVED = "{name} is not preserved"
    CHANGES = "{place} changes"
    ACCESS = "{event}: {place}, at {instruction}"
    ACCESS_ANYWHERE = "{event}: an address, at {instruction}"
    ACCESS_OF_ARRAY = (
        "{access} (of an array filled before an invariant, only the cells on one side of an index "
        "are known, all of them or every second, third and so on: fill the array in order, or list "
        "it under 'in:')"
    )
    CALL_REQUIRES = "calls {routine}, which requires {condition}"
    CALL_REQUIRES_FLAG = "calls {routine}, which requires {flag} to be {value}"
    STACK_USED = "it uses {bytes:bytes}"
    POINTER_DIFFERS = "the stack pointer differs between paths"
    DELAYS = "it follows an instruction that delays interrupts"
    PUSHED_NOT_EVERYWHERE = "the bytes on the stack are not written on every path"
    PUSHED_DIFFERS = "the bytes on the stack differ between paths"
    UNBALANCED = "pushes and pulls do not balance"
    BEYOND_MEMORY = "{name} goes beyond $FFFF"
    COMMON_BYTE = "{name} and {other} have a byte in common"
    ON_PORT = "{name} lies on a port"
    ON_CODE = "{name} lies on code or read-only data"
    ON_STACK = "{name} lies on the stack"
    ALLOWED_BY_REQUIRES = "{claim}: 'requires:' allows that"

    # claims about nothing
    NO_PATH = "{span}: no path reaches {place}"
    NO_INPUT_LEADS = "{span}: no input leads to {place}"
    INVARIANT_IMPOSSIBLE = "{span}: nothing satisfies the invariant at {place}"
    NEVER_RETURNS_CLAIM = "{span}: '{routine}' never returns, so its contract claims nothing"
    NO_ROOM_FOR_STACK = (
        "{span}: its memory leaves no room for the stack, which lies within ${low:04X}..${high:04X}"
    )
    REQUIRES_IMPOSSIBLE = "{span}: no input satisfies '{condition}'"
    REQUIRES_IMPOSSIBLE_TOGETHER = (
        "{span}: no input satisfies '{condition}' together with the conditions before it"
    )
    INPUT_UNDECIDED = "whether an input is allowed: {why}"

    # invariants and the end
    NOT_ON_ENTRY = "it does not hold on entry"
    NOT_PRESERVED_FROM = "it is not preserved on the path from {place}"
    NEGATIVE = "it can be negative"
    DECREASE_NOT_SHOWN = "that is not shown"
    NOT_SMALLER = "{loop}: {numbers:comma} is not shown to decrease with each iteration"
    ENDLESS = (
        "{loop}: nothing shows that the loop ends; add '; decreases: LABEL: EXPRESSION', a "
        "non-negative number that decreases at each visit"
    )
    ENDLESS_READING = (
        "{loop}: nothing shows that the loop ends, which reads {ports:comma}: add '; assumes: PORT "
        "changes' if it waits for that port, else '; decreases: LABEL: EXPRESSION'"
    )
    CALLEE_MAY_NOT_END = "its callee {callee} is not proved to end"
    CALLEES_MAY_NOT_END = "its callees {callees:comma} are not proved to end"
    ASSUMED = "{assumptions:and}, as 'assumes:' says"
    CHANGED_BY_HANDLER = (
        "{assumption} when {interrupts:and} enters {handler}, which is proved to change it"
    )
    IF = "{what}, if {condition}"
    AN_INTERRUPT = "an interrupt"
    WAITS = "{loop}: it waits for {memory}, and {why}"
    HANDLER_WITHOUT_CONTRACT = "{handler} has no contract that says so"
    NO_HANDLER = "the contract of {handler} does not say 'kind: interrupt'"
    HANDLER_NOT_PROVED = "{handler} is not proved"
    HANDLER_MAY_KEEP = (
        "{handler} may leave it as it is; where it never does, let its contract say "
        "'ensures: {memory} != old {memory}'"
    )
    HANDLER_MASKED = "the interrupt that enters {handler} may be masked"
    WHENEVER_ENTERED = "{condition} whenever {handler} is entered"
    ONE_ENABLED = "bit {bits:or} of IE is 1 while it waits"
    AT_ENTRY = "{condition} at the entry"
    REGISTER_IS = "{register} is {value}"
    ENABLED = "bit {bit} of IE is 1"

    # two runs
    DEPENDS_ON = "{subject} depends on {names}, which is not listed under 'in:'"
    DEPENDS_ON_PORTS = (
        "{subject} depends on {names}, and places that are not listed under 'in:' decide how often "
        "or which one is read"
    )
    SHOWS_SECRET = "{subject} at {instruction} depends on it"

    # iterations
    EXECUTED_TIMES = "{label} is executed {least}..{most} times, but not here"
    TOO_MANY_ITERATIONS = "only up to {most:,} iterations can be counted"
    NOT_COUNTED = "the executions of {label} are not counted: {why}"
    ITERATIONS_UNKNOWN = (
        "the number of iterations before execution reaches {place} is not known: add '; decreases: "
        "LABEL: EXPRESSION', a number that decreases by the same amount at each visit"
    )
    ITERATIONS_NOT_DETERMINED = (
        "the number of iterations before execution reaches {place} is not known: 'decreases:' does "
        "not determine it"
    )

    # cycles
    NO_UPPER_BOUND = "no upper bound is known: {why}"
    ITERATIONS_NOT_BOUNDED = (
        "the number of iterations through its invariants is not bounded: add 'decreases:'"
    )
    DECREASES_NOT_BOUNDED = (
        "the number of iterations through its invariants is not bounded: 'decreases:' gives no "
        "bound"
    )
    WAITS_FOR_INTERRUPTS = "it waits for interrupts"
    CALLEE_UNLIMITED = "the cycles of its callee {callee} have no limit: add 'cycles:' there"
    CALLEES_UNLIMITED = (
        "the cycles of its callees {callees:comma} have no limit: add 'cycles:' there"
    )
    TAKES_BOTH = "it takes {least} for one input and {most} for the other"
    CAN_TAKE = "it can take {cycles}"
    UPPER_BOUND_IS = "an upper bound is {cycles}; no input is known"
    LOWER_BOUND_IS = "a lower bound is {cycles}; no input is known"
    TAKES_RANGE = "it takes {cycles}; no two inputs are known that take different numbers"
    CYCLES_ARE = "{cycles}"
    CYCLES_AND_ENDS = "{cycles}: {ends:comma}"
    NONE_TAKES_LESS = "no input takes less than {cycles}"
    NONE_TAKES_MORE = "no input takes more than {cycles}"
    NO_END_REACHED = "no less and no more; no input is known that reaches an end"
    ALWAYS = "always"
    EACH_END_REACHED = "each end is reached"
    REACHED = "reached"
    EXECUTED_REACH = "the executed inputs reach each end"
    NO_INPUT_TAKES = "no input is known that takes {cycles}"
    ALL_EXECUTED_LESS = "no input takes less than {cycles}: all were executed"
    ALL_EXECUTED_MORE = "no input takes more than {cycles}: all were executed"
    NEVER_RETURNS = "it never returns"
    NO_LIMIT_BELOW = "no limit below {cycles:,} cycles is known for a call"
    MACHINE_TAKES = "{cycles} for {example}, but the machine takes {taken}: please report this"
    MACHINE_DOES_NOT_END = (
        "{cycles} for {example}, but the machine does not end: please report this"
    )

    # executions
    STATEMENT_FAILS = "{statement}: {why}"
    PROVER_FAULT = "{why}; this is a fault of the prover: please report it"
    NO_INPUT_FOUND = "no input was found to execute it with"
    TIME_IN_EXECUTION = (
        "the time limit of {seconds:seconds} was reached when {executed:,} of {planned:,} inputs "
        "were executed"
    )
    DIFFERS = "{place} differs"
    DIFFERS_FROM_MODEL = "{place} differs from the model"
    ENDS_AT = "it ends at {place}"
    RUN_DIFFERS = "a run does not end, or takes other cycles"
    PORTS_OF_CALLEE = (
        "{why}; {routine} is proved with {ports:comma} as memory, but here it is a port: list it "
        "as volatile there"
    )

    # models
    MODEL_RAISES = "the model raises {error}"
    RAISES = "it raises {error}"
    QUESTION_RAISES = "the question raises {error}"
    MODEL_ALWAYS_RAISES = "the model raises an exception for every input"
    NO_INPUT_ALLOWED = "no input satisfies 'requires:'"
    NONE_FOUND = "none was found"
    NONE_REACHES = "no values were found that reach this place"
    NO_EXACT_RESULT = "a routine with invariants has no exact result to compare with"
    INPUTS = "{count:,} inputs"
    GOES_ELSEWHERE = "the model goes to another place"
    GOES_TO = "the model goes to {label}"
    VALUE_DIFFERS = "{place} is ${actual:02X}, the model says ${expected:02X}"
    NOT_ALWAYS = "it does not always hold"
    OTHER_CASES = "'requires:' allows other values"
    NEW_BYTE = "{name} gets a byte that it did not have"
    NO_EXCHANGE = "{name} changes other than by exchanges"
    NOT_SO = "it is not so"
    PATH_WITHOUT_INPUT = "no input was found that takes one of its paths"
    MODEL_DIFFERS = (
        "the model gives {symbolic} with symbolic numbers and {plain} with plain ones, input "
        "{input:comma}"
    )

    # two versions
    VERSION_STOPS = "'{routine}' at {place}: it {why}"
    VERSION_UNDECIDED = "'{routine}': {why}"
    VERSION_NEVER_RETURNS = "'{routine}' never returns"
    NO_COMMON_INPUT = "no input is allowed by both contracts"
    TOO_LARGE_TO_MOVE = "{name} has more than {most:,} bytes and was moved"
    VERSION_READS_PORTS = (
        "'{routine}' reads ports: the two versions may read different values there"
    )
    CELLS_DIFFER = "{place} is ${mine:02X} and ${theirs:02X}"
    CELL_UNDECIDED = "{place}: {why}"
    CELL_UNLISTED = "{place} depends on memory that no contract lists"
    NOT_WHEN_EXECUTED = "{why}, but not when both are executed"

    # no contract
    NO_CALLER = "the program begins there: it has no caller to return to"
    NO_PATH_RETURNS = "no path returns to its caller"
    WRITES_TO = "{instruction}: it writes to {place}"
    ON_CALLERS_STACK = "{place}: it {event}, on its caller's stack"
    NO_SIMPLE_CHANGE = "{place}: a loop changes the address that it uses in no simple way"
    USES = "{place}: it uses ${low:04X}..${high:04X}"
    USES_WITHOUT_CONDITION = (
        "{place}: it uses ${low:04X}..${high:04X}; no simple condition on its inputs limits the "
        "address"
    )
    USES_ANYWHERE = "{place}: it uses an address without known limits"
    TWO_AREAS = "{expression} would have to be in two areas of memory at once"
    STILL_MORE_OBJECTS = "after {attempts} attempts it still reaches more objects"
    NOT_EXPORTED = (
        "it is not exported, and only contracts of exported labels are read: export it first "
        "(.export, ::)"
    )
    SOURCE_UNKNOWN = "the source that defines it is not known"
    SOURCE_CHANGED = "{path} has changed since it was assembled: build it again"
    NO_SOURCE = "{path} does not exist"
    DEFINED_BY_MACRO = "a macro defines it, at {place}"


class Loose(MessageKind):
    """A part of an inferred contract that no execution shows to be needed."""

    ALL = "all of it: {why}"
    CHANGES = "that {item} changes"
    IS_READ = "that {item} is read"
    IS_INPUT = "that {item} is an input"
    IS_NEEDED = "that it needs {condition}"
    CYCLES = "its cycles"
    ENDS_OF_CYCLES = "both ends of its cycles"
    STACK = "that it uses {bytes:bytes} of stack"


class Assumption(MessageKind):
    """What a proof takes for granted of the machine around the routine."""

    NO_INTERRUPT = "no interrupt happens"
    OTHER_INTERRUPTS = "no interrupt happens, but those that change {places:and}"
    MEMORY = "memory keeps the values written to it, except at ports, and each byte has one address"
    STACK_POINTER = (
        "{pointer} is {low}..{high} at the first instruction, and no memory that the routine names "
        "lies in its stack"
    )
    NOT_BY_BREAK = "it is entered by an interrupt, not by brk: B is pushed as 0"
    FLAGS_CLEAR = "{flags} is clear at the entry"
    BANKS = "the loaded banks stay selected"
    PORT_CHANGES = "{assumption}: an instruction that reads it again and again reads every value"
    HANDLER_CHANGES = (
        "{assumption}: interrupts enter {handler} again and again, it is read between two of them, "
        "and they change nothing else that the routine uses"
    )
    INTERRUPTS_CHANGE = (
        "{assumption}: after finitely many interrupts a read of it brings another value than the "
        "first, and they change nothing else that the routine uses"
    )


class Note(MessageKind):
    """A fact that is no fault."""

    RETURN_NOT_REACHED = "no input reaches the return at {place}"
