public import Bytes
public import Identifiers
internal import ObjectFormats

/// The target of rules: the facts of an object that a file of rules repeats.
public struct UnwindTarget: Sendable {
  public var debugID: DebugID?
  public var architecture: Architecture
  /// The linked address that offsets count from.
  public var imageBase: UInt64 = 0
  /// The size of an address in bytes, 4 or 8.
  public var addressSize: Int
  public var endianness: Endianness

  public init(
    architecture: Architecture, addressSize: Int = 8, endianness: Endianness = .little
  ) {
    self.architecture = architecture
    self.addressSize = addressSize
    self.endianness = endianness
  }

  init(_ object: ObjectFile) {
    debugID = object.debugID
    architecture = object.architecture
    imageBase = object.imageBase
    addressSize = object.addressSize
    endianness = object.endianness
  }
}
