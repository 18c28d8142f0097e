extension Architecture {
  /// The instruction set by the CPU type and subtype of Mach-O; one that has no name here is
  /// called by both.
  ///
  /// Source: CPU_TYPE_ and CPU_SUBTYPE_ in mach/machine.h. The high byte of a subtype holds flags: of
  /// 64-bit libraries, and of arm64e the version of its ABI.
  public init(machCPU type: UInt32, subtype: UInt32) {
    switch (type, subtype & 0x00ff_ffff) {
    case (7, _): self = .i386
    case (0x0100_0007, 8): self = .x86_64h
    case (0x0100_0007, _): self = .x86_64
    case (12, 6): self = .armv6
    case (12, 9): self = .armv7
    case (12, 11): self = .armv7s
    case (12, 12): self = .armv7k
    case (12, _): self = .arm
    case (0x0100_000c, 2): self = .arm64e
    case (0x0100_000c, _): self = .arm64
    case (0x0200_000c, _): self = .arm64_32
    case (18, _): self = .ppc
    case (0x0100_0012, _): self = .ppc64
    default: self.init("mach-\(type)-\(subtype & 0x00ff_ffff)")
    }
  }
}
