/// The identity of the build of a binary and its debug files: sixteen bytes and an age, as Breakpad and the
/// services after it use them for every platform.
///
/// - Mach-O: the UUID of `LC_UUID`, age 0.
/// - ELF: the first sixteen bytes of `NT_GNU_BUILD_ID` (padded with zeros), read as a GUID in the byte order
///   of the program: for a little-endian one the first 4, the next 2 and the next 2 bytes are reversed; age
///   0. The whole build id is the image's ``CodeID``.
/// - PE: GUID and age of the CodeView record `RSDS`; PDB: the same from its own streams.
/// - PDB 2.0 (`NB10`): a time stamp instead of the GUID, and the age.
///
/// Source: Breakpad, `src/common/linux/file_id.cc` and `src/processor/minidump.cc`; the ELF case seen
/// in reports of its SDKs.
public struct DebugID: Hashable, Sendable {
  /// The sixteen bytes in the order in which they are printed; only the first four for a time stamp.
  public let uuid: [UInt8]
  public let age: UInt32
  /// Whether the id is the time stamp of a PDB 2.0 file.
  public let isTimestamp: Bool

  /// - Parameter uuid: Sixteen bytes in printing order; fewer are padded with zeros, more cut off.
  public init(uuid: some Collection<UInt8>, age: UInt32 = 0) {
    var bytes = Array(uuid.prefix(16))
    if bytes.count < 16 { bytes += [UInt8](repeating: 0, count: 16 - bytes.count) }
    self.uuid = bytes
    self.age = age
    isTimestamp = false
  }

  /// The id of a PDB 2.0 file.
  public init(timestamp: UInt32, age: UInt32) {
    uuid =
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: timestamp >> $0) }
      + [UInt8](repeating: 0, count: 12)
    self.age = age
    isTimestamp = true
  }

  /// The id for the build id, of any length, of a little-endian ELF file.
  public init(buildID: some Collection<UInt8>) { self = DebugID(uuid: buildID).turned }

  /// The id with the fields of the GUID in the other byte order; the time stamp of a PDB 2.0 file stays
  /// unchanged.
  public var turned: DebugID {
    if isTimestamp { return self }
    return DebugID(
      uuid: [uuid[3], uuid[2], uuid[1], uuid[0], uuid[5], uuid[4], uuid[7], uuid[6]] + uuid[8...],
      age: age)
  }

  /// Reads any spelling of a GUID: with or without dashes or braces, either letter case, the age
  /// (hexadecimal) after the thirty-two digits, with a dash or without; and the time stamp of a PDB 2.0 file
  /// with its age after a dash.
  public init?(_ text: String) {
    var digits: [UInt8] = []
    var dashes = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"):
        dashes += 1
        // Nine to sixteen digits in a row may be a number of any kind: the dash decides.
        if dashes == 1, digits.count == 8, text.utf8.count <= 17 {
          self.init(breakpad: text.filter { $0 != "-" })
          return
        }
      case UInt8(ascii: "{"), UInt8(ascii: "}"): continue
      default:
        guard let digit = Self.value(of: byte) else { return nil }
        digits.append(digit)
      }
    }
    guard digits.count >= 32 else { return nil }
    self.init(digits: digits)
  }

  /// Reads the spelling of Breakpad's symbol files and of symbol servers: thirty-two digits followed by the
  /// age, or eight of a time stamp and the age; either letter case.
  public init?(breakpad text: String) {
    var digits: [UInt8] = []
    for byte in text.utf8 {
      guard let digit = Self.value(of: byte) else { return nil }
      digits.append(digit)
    }
    self.init(digits: digits)
  }

  /// - Parameter digits: The value of each digit; 9 to 16 for a time stamp, otherwise 32 to 40.
  private init?(digits: [UInt8]) {
    func number(_ range: Range<Int>) -> UInt32 {
      digits[range].reduce(0) { $0 << 4 | UInt32($1) }
    }
    switch digits.count {
    case 9...16: self.init(timestamp: number(0..<8), age: number(8..<digits.count))
    case 32...40:
      let bytes = stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      self.init(uuid: bytes, age: number(32..<digits.count))
    default: return nil
    }
  }

  private static func value(of byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }

  /// Whether the id is all zeros, which writers use where they know none.
  public var isZero: Bool { uuid.allSatisfy { $0 == 0 } }
}

extension DebugID: CustomStringConvertible {
  /// The digits in lower case with dashes, followed by the age in hexadecimal where it is not 0. For a time
  /// stamp, the eight digits in upper case, as its tools print them, and always the age.
  public var description: String {
    let digits = hexadecimal(uuid)
    if isTimestamp { return digits.prefix(8).uppercased() + "-" + String(age, radix: 16) }
    // Every image of every report has one, so this works on bytes.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for (index, digit) in digits.utf8.enumerated() {
      if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(digit)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return age == 0 ? text : text + "-" + String(age, radix: 16)
  }

  /// The spelling of Breakpad's symbol files and symbol servers: upper case without dashes, followed by the
  /// age in lower case, even if it is 0.
  public var breakpadText: String {
    hexadecimal(uuid.prefix(isTimestamp ? 4 : 16)).uppercased() + String(age, radix: 16)
  }
}

func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
