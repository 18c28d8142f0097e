/// Which build a binary and its debug files come from: sixteen bytes and an age, as Breakpad and the
/// services after it use them for every platform.
///
/// - Mach-O: the UUID of `LC_UUID`, age 0.
/// - ELF: the first sixteen bytes of `NT_GNU_BUILD_ID` (padded with zeros), read as a little-endian
///   GUID, so the first 4, the next 2 and the next 2 bytes are turned round; age 0. The whole build
///   id is the image's ``CodeID``.
/// - PE: GUID and age of the CodeView record.
///
/// Source: Breakpad, `src/common/linux/file_id.cc`; the ELF case seen in reports of its SDKs.
public struct DebugID: Hashable, Sendable {
  /// The sixteen bytes in the order in which they are printed.
  public let uuid: [UInt8]
  public let age: UInt32

  /// - Parameter uuid: Sixteen bytes in printing order; fewer are padded with zeros, more cut off.
  public init(uuid: some Collection<UInt8>, age: UInt32 = 0) {
    var bytes = Array(uuid.prefix(16))
    if bytes.count < 16 { bytes += [UInt8](repeating: 0, count: 16 - bytes.count) }
    self.uuid = bytes
    self.age = age
  }

  /// The id that belongs to an ELF build id of any length.
  public init(buildID: some Collection<UInt8>) {
    let id = DebugID(uuid: buildID).uuid
    self.init(uuid: [id[3], id[2], id[1], id[0], id[5], id[4], id[7], id[6]] + id[8...])
  }

  /// Reads any spelling: with or without dashes or braces, either letter case, the age (hexadecimal)
  /// after the thirty-two digits, with a dash or without.
  public init?(_ text: String) {
    var digits: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "{"), UInt8(ascii: "}"): continue
      default:
        guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
        digits.append(UInt8(digit))
      }
    }
    guard digits.count >= 32, digits.count <= 40 else { return nil }
    let bytes = stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    self.init(uuid: bytes, age: digits[32...].reduce(0) { $0 << 4 | UInt32($1) })
  }

  /// Whether the id is all zeros, which writers put where they know none.
  public var isZero: Bool { uuid.allSatisfy { $0 == 0 } }
}

extension DebugID: CustomStringConvertible {
  /// Lower case with dashes; the age follows in hexadecimal where it is not 0.
  public var description: String {
    let digits = hexadecimal(uuid)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return age == 0 ? text : text + "-" + String(age, radix: 16)
  }
}

/// The identity that the binary itself carries, in lower-case hexadecimal: the whole build id of an
/// ELF file, the UUID of a Mach-O file, time stamp and size of a PE file.
public struct CodeID: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Reads hexadecimal digits in either letter case, dashes left out; `nil` for anything else.
  public init?(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" }
    guard !digits.isEmpty, digits.count <= 128, digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    description = digits
  }

  public init(_ bytes: some Collection<UInt8>) { description = hexadecimal(bytes) }

  /// The bytes that the digits stand for; an odd last digit is dropped.
  public var bytes: [UInt8] {
    let digits = Array(description.utf8).map {
      UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0)
    }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

private func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
