extension HeadlineTable {
  /// The groups of the marks of all formats, as ``MarkGroups/numbers``: computing them takes longer than all
  /// else at the start of the program. A test compares them with those that are computed.
  static let builtInGroups: [UInt32] = [
    0x3801_005c, 0x2c9d_0034, 0x432e_0050,
    0x0801_001c, 0x0109_00c4, 0xffff_ffff,
    0xffff_ffff, 0x4b88_0024, 0x0005_008c,
    0xffff_ffff, 0xed7f_0030, 0xc37f_00f0,
    0x4020_0040, 0x4100_0004, 0xffff_ffff,
    0x422c_0040, 0x0d40_00c0, 0x0221_0044,
    0xffff_ffff, 0x0314_0084, 0x222a_0044,
    0xffff_ffff, 0x0400_000c, 0xffff_ffff,
  ]
}
