import pytest

import romproof

PRICES = [10, 25, 50, 99]


@pytest.mark.rom("shop")
@pytest.mark.parametrize("item", range(4))
def test_prices(rom, item):
    assert rom.call("price", a=item).a == PRICES[item]


@romproof.equivalent("night", lambda a: romproof.choose(2 * a < 99, 2 * a, 99), rom="inn")
def test_a_night_is_its_model(): ...


@pytest.mark.rom("shop")
def test_a_routine_of_another_bank_is_not_there(rom):
    with pytest.raises(romproof.RomproofError, match=r'banks=\["ROMX\[2\]"\]'):
        rom.call("night", a=1)


def test_the_whole_program_on_a_game_boy():
    """The mapper and all banks at work: what the program leaves in its variables."""
    built = romproof.build(".", "shop")
    image = built.image
    boy = romproof.GameBoy(image.files[0].data)
    done, paid = image.address("done"), image.address("paid")
    assert boy.run_until(lambda boy: boy.peek(done) == 1, limit=100_000, every=100)
    assert [boy.peek(paid), boy.peek(paid + 1)] == [50, 99]
