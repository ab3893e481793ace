"""The Game Boy (DMG) without a screen: cartridge, timers, serial port, buttons, line counter."""
