extension FirmwareReader {
  static let about = FormatDescription(
    title: "Firmware", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Panics of microcontrollers on their serial line: ESP-IDF (Xtensa and RISC-V), Zephyr, and faults of \
      Cortex-M by Mbed OS, RIOT, CmBacktrace and others.
      """,
    facts: [
      (
        "recognised by",
        """
        `Guru Meditation Error: `, `abort() was called at PC 0x`, `ZEPHYR FATAL ERROR `; `HardFault` \
        and the like where `pc` and `lr` follow
        """
      ),
      ("identity", "name and version of ESP-IDF's start, the thread of Zephyr"),
      ("reason", "the fault, its address"),
      (
        "stacks",
        """
        the program counter with the backtrace, or else the link register; with registers
        """
      ),
      (
        "images",
        """
        one, at 0: addresses are those of the ELF file. It is called as the firmware, or `firmware`; \
        the only ELF file among the debug files explains the latter
        """
      ),
      (
        "positions", "the program counter `exact`, a link register `return`, a backtrace `adjusted`"
      ),
      ("not read", "memory of the stack"),
    ])
}
