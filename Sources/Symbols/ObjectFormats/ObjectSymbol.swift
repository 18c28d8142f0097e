/// Where a function begins.
///
/// A value of 32 bytes without references, since there are hundreds of thousands in a table.
public struct ObjectSymbol: Hashable, Sendable {
  /// The linked address, without the Thumb bit.
  public let address: UInt64
  /// In bytes; 0 where the file does not say.
  public let size: UInt64
  private let nameStart: UInt32
  private let nameLength: UInt32
  /// Where the name of the source file begins in ``SymbolTable/names``, which a NUL ends; 0 where
  /// the table gives none. ELF gives it for symbols that no other file can see (`STT_FILE`).
  public let fileNameOffset: UInt32
  private let flags: UInt8

  init(
    address: UInt64, size: UInt64, nameOffset: Int, nameCount: Int, isGlobal: Bool, isWeak: Bool,
    fileNameOffset: UInt32 = 0
  ) {
    self.address = address
    self.size = size
    nameStart = UInt32(clamping: nameOffset)
    self.fileNameOffset = fileNameOffset
    nameLength = UInt32(clamping: nameCount)
    flags = (isGlobal ? 1 : 0) | (isWeak ? 2 : 0)
  }

  /// Where the name begins in ``SymbolTable/names``, in bytes.
  public var nameOffset: Int { Int(nameStart) }
  /// The length of the name in bytes; 0 for a start that is known without a name
  /// (`LC_FUNCTION_STARTS`): what begins there does not belong to the symbol before it.
  public var nameCount: Int { Int(nameLength) }
  /// Whether other images can see it.
  public var isGlobal: Bool { flags & 1 != 0 }
  public var isWeak: Bool { flags & 2 != 0 }
}
