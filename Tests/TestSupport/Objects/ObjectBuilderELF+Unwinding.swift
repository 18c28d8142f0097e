extension ObjectBuilderELF {
  /// Adds `.eh_frame_hdr` at `address`, with a sorted index, and `.eh_frame` 256 bytes after it:
  /// functions without rules, their addresses as offsets of 4 bytes.
  ///
  /// Source: Linux Standard Base Core, "Exception Frames".
  public mutating func addUnwinding(_ functions: [(start: Int, size: Int)], at address: Int) {
    var frames = ObjectBytes(isBigEndian: isBigEndian)
    frames.add32(16)
    frames.add32(0)
    frames.bytes += [1, 0x7a, 0x52, 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0]
    var index = ObjectBytes(isBigEndian: isBigEndian)
    index.bytes += [1, 0x1b, 0x03, 0x3b]
    index.add32(0xfc)
    index.add32(functions.count)
    for function in functions {
      let place = frames.bytes.count
      index.add32((function.start - address) & 0xffff_ffff)
      index.add32(0x100 + place)
      frames.add32(16)
      frames.add32(place + 4)
      frames.add32((function.start - (address + 0x100 + place + 8)) & 0xffff_ffff)
      frames.add32(function.size)
      frames.bytes += [0, 0, 0, 0]
    }
    sections += [
      Section(".eh_frame_hdr", flags: 2, address: UInt64(address), contents: index.bytes),
      Section(".eh_frame", flags: 2, address: UInt64(address + 0x100), contents: frames.bytes),
    ]
  }
}
