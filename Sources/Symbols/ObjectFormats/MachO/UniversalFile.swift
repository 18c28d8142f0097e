public import Bytes

/// Where the slices of a universal Mach-O file lie, for who has only parts of the file.
public enum UniversalFile {
  /// Bytes of the start of a file that hold the whole table.
  public static let headCount = 4096

  /// In bytes from the start of the file, in the order of the table; `nil` where the file is not a
  /// universal one.
  ///
  /// - Parameter head: The first ``headCount`` bytes of the file, or all there are.
  /// - Throws: ``ParseError`` for a table that is damaged.
  public static func slices(of head: ByteView) throws(ParseError) -> [Range<UInt64>]? {
    guard FatHeader.isHeader(head) else { return nil }
    var slices: [Range<UInt64>] = []
    for slice in try FatHeader(parsing: head).slices {
      let (end, overflow) = slice.offset.addingReportingOverflow(slice.size)
      guard !overflow else {
        throw ParseError(
          .outOfBounds(offset: slice.offset, count: slice.size, size: head.count),
          in: "universal header", at: 0)
      }
      slices.append(slice.offset..<end)
    }
    return slices
  }
}
