public import Bytes

/// The sections that the readers need, as views of their decompressed contents; whoever has the
/// container hands them in. A section that a file lacks is empty.
public struct DWARFSections: Sendable {
  public var info = ByteView.empty
  public var abbreviations = ByteView.empty
  public var line = ByteView.empty
  public var strings = ByteView.empty
  public var lineStrings = ByteView.empty
  public var stringOffsets = ByteView.empty
  public var addresses = ByteView.empty
  public var ranges = ByteView.empty
  public var rangeLists = ByteView.empty
  public var endianness: Endianness
  /// The size of an address in line tables older than version 5, which do not say, in bytes.
  public var addressSize: Int

  public init(endianness: Endianness, addressSize: Int) {
    self.endianness = endianness
    self.addressSize = addressSize
  }
}
