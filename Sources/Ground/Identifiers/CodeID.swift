/// The identity carried by the binary itself, in lower-case hexadecimal: the whole build id of an ELF file,
/// the UUID of a Mach-O file, time stamp and size of a PE file.
public struct CodeID: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Reads hexadecimal digits in either letter case, ignoring dashes, braces and a leading `0x`; `nil` for
  /// anything else.
  ///
  /// For a PE file, some tools print the time stamp in upper case and the size in lower case, some the other
  /// way round: both are the same id.
  public init?(_ text: String) {
    var digits = text.lowercased().filter { $0 != "-" && $0 != "{" && $0 != "}" }
    if digits.hasPrefix("0x") { digits.removeFirst(2) }
    guard !digits.isEmpty, digits.count <= 128, digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    description = digits
  }

  public init(_ bytes: some Collection<UInt8>) { description = hexadecimal(bytes) }

  /// The identity of a PE file: eight digits of its time stamp, and its size in memory without leading
  /// zeros.
  ///
  /// Source: Microsoft's symbol server, "SymStore folder tree"; seen in `INFO CODE_ID` of Breakpad's
  /// symbol files.
  public init(timestamp: UInt32, imageSize: UInt32) {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: timestamp >> $0) }
    description = hexadecimal(bytes) + String(imageSize, radix: 16)
  }

  /// The bytes of the digits; an odd last digit is dropped.
  public var bytes: [UInt8] {
    let digits = Array(description.utf8).map {
      UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0)
    }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
