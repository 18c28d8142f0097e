public import Bytes

extension ZipFile {
  /// Deviations allowed in a file that all readers must interpret alike.
  public struct Tolerance: Sendable {
    /// Members that the directory does not list: tools for Android leave them behind when they delete one,
    /// and systems that read the directory ignore them.
    public var unlistedMembers: Bool
    /// Names that differ only in letter case.
    public var letterCase: Bool

    public init(unlistedMembers: Bool, letterCase: Bool) {
      self.unlistedMembers = unlistedMembers
      self.letterCase = letterCase
    }
  }

  /// Checks that all readers see the same members, whether they use the directory or read from the front, and
  /// that no name leads out of a folder.
  ///
  /// A file that passes has one end record and a directory of unencrypted members with safe and unique names.
  /// Each member has bytes of its own, and the header before them agrees with the directory.
  ///
  /// - Parameter ratio: How many bytes may be unpacked for each byte of the file, above `slack`.
  /// - Throws: ``ParseError`` at the first problem.
  public func checkAgreement(
    allowing tolerance: Tolerance, ratio: UInt64, slack: UInt64
  ) throws(ParseError) {
    try checkEnd()
    try checkNames(allowing: tolerance)
    try checkSizes(ratio: ratio, slack: slack)
    var ranges: [(start: UInt64, end: UInt64, name: String)] = []
    ranges.reserveCapacity(members.count)
    for member in members {
      let range = try localRange(of: member)
      ranges.append((range.lowerBound, range.upperBound, member.name))
    }
    ranges.sort { $0.start < $1.start }
    for (former, next) in zip(ranges, ranges.dropFirst()) where next.start < former.end {
      throw error("members \(former.name) and \(next.name) share bytes", at: next.start)
    }
    if !tolerance.unlistedMembers { try checkGaps(between: ranges.map { ($0.start, $0.end) }) }
  }

  private func error(_ reason: String, at offset: UInt64) -> ParseError {
    ParseError(.invalid(reason), in: Self.structure, at: Int(clamping: offset))
  }

  // MARK: The end of the file

  private static let signatureOfSignature: [UInt8] = [0x50, 0x4b, 5, 5]

  private func checkEnd() throws(ParseError) {
    if hasTwoEnds { throw error("two end records that differ", at: UInt64(end)) }
    // Four numbers of disks and of members on them, for split archives.
    let record = bytes.clamped(end..<bytes.count)
    if record[4] != 0 || record[5] != 0 || record[6] != 0 || record[7] != 0 {
      throw error("a part of a divided file", at: UInt64(end))
    }
    var offset = 22
    while offset + 4 <= record.count {
      if record.clamped(offset..<(offset + 4)).starts(with: [0x50, 0x4b, 5, 6]) {
        throw error("a second end record in the comment", at: UInt64(end + offset))
      }
      offset += 1
    }
    let rest = bytes.clamped(
      (Int(clamping: directoryStart) + directoryBytes - directoryRest)..<bytes.count)
    // APPNOTE.TXT, section 4.3.13: a signature of the directory.
    if directoryRest > 0, !rest.starts(with: Self.signatureOfSignature) {
      throw error("the directory goes on after its last member", at: directoryStart)
    }
  }

  // MARK: The directory

  private func checkNames(allowing tolerance: Tolerance) throws(ParseError) {
    var names: Set<String> = []
    for member in members {
      let name = member.name
      if member.isEncrypted { throw error("\(name.quoted) is encrypted", at: member.header) }
      guard Self.isSafe(name) else {
        throw error("the name \(name.quoted) is not allowed", at: member.header)
      }
      guard names.insert(tolerance.letterCase ? name : name.lowercased()).inserted else {
        throw error("two members are called \(name.quoted)", at: member.header)
      }
    }
  }

  /// Whether a name stays below the folder that a file is unpacked in.
  private static func isSafe(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return false }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.first?.isEmpty == false, !parts.contains("..") else { return false }
    return !name.split(separator: "\\", omittingEmptySubsequences: false).contains("..")
      && !name.hasPrefix("\\")
  }

  private func checkSizes(ratio: UInt64, slack: UInt64) throws(ParseError) {
    let (scaled, overflow) = UInt64(bytes.count).multipliedReportingOverflow(by: ratio)
    let (most, isBeyond) = scaled.addingReportingOverflow(slack)
    let limit = overflow || isBeyond ? UInt64.max : most
    var total: UInt64 = 0
    for member in members {
      let sum = total.addingReportingOverflow(member.size)
      guard !sum.overflow, sum.partialValue <= limit else {
        throw ParseError(
          .limit(name: "unpacked bytes", value: Int(clamping: limit)), in: Self.structure,
          at: Int(clamping: directoryStart))
      }
      total = sum.partialValue
    }
  }

  // MARK: Before the data

  /// The range of a member's header, data and data descriptor.
  ///
  ///     HEADER BEFORE THE DATA            AFTER THE DATA, IF FLAG 8 IS SET
  ///      0  4  "PK" 3 4                    0  4  "PK" 7 8, which may be missing
  ///      6  2  flags                       4  4  CRC-32
  ///      8  2  compression                 8  4  size in the file, or 8 bytes
  ///     14  4  CRC-32                     12  4  size unpacked, or 8 bytes
  ///     18  4  size in the file
  ///     22  4  size unpacked
  ///     26  2  length of the name
  ///     28  2  length of extra fields
  ///
  /// Source: APPNOTE.TXT 6.3.9, sections 4.3.7 and 4.3.9.
  private func localRange(of member: Member) throws(ParseError) -> Range<UInt64> {
    let data = try storedBytes(of: member)
    guard let dataStart = data.offset(in: bytes) else {
      throw error("a member outside the file", at: member.header)
    }
    // Both were checked when the data was found.
    let start = Int(base + member.header)
    var reader = ByteReader(
      bytes.clamped(start..<dataStart).bytes, reading: "zip member", base: start)
    try reader.skip(6)
    let flags: UInt16 = try reader.read()
    let method: UInt16 = try reader.read()
    try reader.skip(4)
    let checksum: UInt32 = try reader.read()
    var storedSize = UInt64(try reader.read(UInt32.self))
    var size = UInt64(try reader.read(UInt32.self))
    let nameCount: UInt16 = try reader.read()
    try reader.skip(2)
    let nameStart = start + reader.position
    let name = bytes.clamped(nameStart..<(nameStart + Int(nameCount)))
    guard name.array == member.nameBytes.array else {
      throw error(
        "\(member.name.quoted) in the directory is \(name.text.quoted) before its data",
        at: UInt64(start))
    }
    try reader.skip(Int(nameCount))
    while reader.remaining >= 4 {
      let type: UInt16 = try reader.read()
      let count: UInt16 = try reader.read()
      // Alignment may leave a few zeros at the end.
      guard reader.remaining >= Int(count) else { break }
      var field = ByteReader(try reader.readBytes(Int(count)), reading: "zip member", base: start)
      guard type == 1 else { continue }
      if size == 0xffff_ffff { size = try field.read() }
      if storedSize == 0xffff_ffff { storedSize = try field.read() }
    }
    let isDescribedLater = flags & 8 != 0
    let isSameSize =
      checksum == member.checksum && size == member.size && storedSize == member.storedSize
    let isUnsaid = isDescribedLater && checksum == 0 && size == 0 && storedSize == 0
    guard flags & 9 == member.flags & 9, method == member.method, isSameSize || isUnsaid else {
      throw error(
        "the directory and the header before \(member.name.quoted) disagree", at: UInt64(start))
    }
    let end = dataStart + data.count
    guard isDescribedLater else { return UInt64(start)..<UInt64(end) }
    guard let count = descriptorCount(at: end, of: member) else {
      throw error(
        "the directory and what follows \(member.name.quoted) disagree", at: UInt64(end))
    }
    return UInt64(start)..<UInt64(end + count)
  }

  /// The length of the descriptor after a member's data, which repeats values of the directory.
  private func descriptorCount(at offset: Int, of member: Member) -> Int? {
    func little(_ value: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let checksum = little(UInt64(member.checksum), 4)
    let rest = bytes.clamped(offset..<(offset + 24))
    for mark in [[0x50, 0x4b, 7, 8], []] as [[UInt8]] {
      for size in [4, 8] {
        let wanted =
          mark + checksum + little(member.storedSize, size) + little(member.size, size)
        if rest.starts(with: wanted) { return wanted.count }
      }
    }
    return nil
  }

  /// Readers that start at the front would take a header between two members for one more member.
  private func checkGaps(between ranges: [(start: UInt64, end: UInt64)]) throws(ParseError) {
    var end: UInt64 = 0
    for range in ranges + [(start: directoryStart, end: directoryStart)] {
      let gap = bytes.clamped(Int(clamping: end)..<Int(clamping: max(end, range.start)))
      if gap.starts(with: [0x50, 0x4b, 3, 4]) {
        throw error("a member that the directory does not list", at: end)
      }
      end = range.end
    }
  }
}

extension String {
  /// The text for messages: control characters replaced, and cut.
  fileprivate var quoted: String {
    let scalars = unicodeScalars.prefix(120).map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7f ? "\u{fffd}" : Character(scalar)
    }
    return "'" + String(scalars) + "'"
  }
}
