/// Where a function begins.
///
/// A value of 32 bytes without references, since there are hundreds of thousands in a table.
public struct ObjectSymbol: Hashable, Sendable {
  /// The linked address, without the Thumb bit.
  public let address: UInt64
  /// In bytes; 0 where the file does not say.
  public let size: UInt64
  /// Where the name begins in ``SymbolTable/names``, in bytes.
  public let nameOffset: Int
  private let nameLength: UInt32
  private let flags: UInt8

  init(
    address: UInt64, size: UInt64, nameOffset: Int, nameCount: Int, isGlobal: Bool, isWeak: Bool
  ) {
    self.address = address
    self.size = size
    self.nameOffset = nameOffset
    nameLength = UInt32(clamping: nameCount)
    flags = (isGlobal ? 1 : 0) | (isWeak ? 2 : 0)
  }

  /// The length of the name in bytes; 0 for a start that is known without a name
  /// (`LC_FUNCTION_STARTS`): what begins there does not belong to the symbol before it.
  public var nameCount: Int { Int(nameLength) }
  /// Whether other images can see it.
  public var isGlobal: Bool { flags & 1 != 0 }
  public var isWeak: Bool { flags & 2 != 0 }
}
