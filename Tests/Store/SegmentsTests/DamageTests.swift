import Bytes
import Compression
import Segments
import TestSupport
import Testing

/// Files that were damaged give an error or the answers of the file that was not.
@Suite struct DamageTests {
  static let count = 4300
  let file = Rows(count: count, seed: 8).file().array
  static let directoryEnd = 32 + 48 * Rows.columns.count

  /// Asks everything of a file.
  func answers(_ bytes: [UInt8]) throws -> [Int] {
    let segment = try Segment(opening: ByteView(bytes))
    var answers: [Int] = []
    var questions = Questions(random: SplitMix(seed: 1), rows: Rows(count: 30, seed: 8).rows)
    for _ in 0..<3 {
      let found = try segment.rows(matching: questions.conditions())
      answers += found.rows
      for count in try segment.countsByOrigin(of: found) {
        answers += [count.origin, count.count, count.first, count.last]
      }
      for column in Rows.columns.map(\.column) {
        answers += try segment.counts(by: column, of: found).flatMap { [$0.value, $0.count] }
        answers += try segment.countsByDay(column, of: found).flatMap { [$0.value, $0.count] }
        answers += try segment.countsByOrigin(and: column, of: found).map(\.count)
        answers += try segment.values(of: column, at: found)
      }
    }
    try SegmentMerge([.init(segment)], columns: Rows.columns).run { parts in
      answers.append(parts.reduce(0) { $0 + $1.count })
    }
    return answers
  }

  @Test("Each damaged byte of the header is found on opening")
  func header() throws {
    _ = try Segment(opening: ByteView(file))
    for offset in 0..<Self.directoryEnd {
      for change: UInt8 in [1, 0x80, 0xff] {
        var bytes = file
        bytes[offset] ^= change
        #expect(throws: ParseError.self, "byte \(offset)") {
          _ = try Segment(opening: ByteView(bytes))
        }
      }
    }
  }

  @Test("A file that is cut off is refused, wherever it ends")
  func truncation() throws {
    let borders = try Segment(opening: ByteView(file)).columnSizes.reduce(into: [0, 8, 16, 32]) {
      $0.append(($0.last ?? 0) + $1.size)
    }
    let ends = Array(0...Self.directoryEnd) + borders + borders.map { $0 - 1 } + [file.count - 1]
    for end in ends where end >= 0 && end < file.count {
      #expect(throws: ParseError.self) {
        _ = try Segment(opening: ByteView(file[..<end]))
      }
    }
    #expect(throws: ParseError.self) { _ = try Segment(opening: ByteView(file + [0])) }
  }

  @Test("An error names the column and its offset")
  func names() throws {
    var bytes = file
    bytes[file.count - 70] ^= 4
    let segment = try Segment(opening: ByteView(bytes))
    let error = #expect(throws: ParseError.self) { try segment.verify() }
    #expect(error?.structure == "segment column 27")
    #expect((error?.offset ?? 0) > Self.directoryEnd)
    // Other columns can still be read.
    #expect(try segment.counts(by: Rows.few, of: RowSet(allOf: Self.count)).count > 1)
  }

  @Test("Random damage gives an error or the same answers")
  func random() throws {
    let wanted = try answers(file)
    var mutator = Mutator(seed: 21, .binary, changes: 1...4)
    var outcomes = Outcomes()
    for round in 0..<TestSize.of(small: 200, all: 1000) {
      var bytes = mutator.mutated(file)
      if round % 10 == 0 { bytes.removeLast(bytes.count / 3) }
      var found: [Int]?
      outcomes.count { found = try answers(bytes) }
      if let found { #expect(found == wanted) }
    }
    #expect(outcomes.refused > 0)
  }

  @Test("Damage with the right checksums traps nowhere")
  func forged() throws {
    var random = SplitMix(seed: 31)
    var outcomes = Outcomes()
    for round in 0..<TestSize.of(small: 600, all: 2_000) {
      var bytes = file
      let end = round % 2 == 0 ? Self.directoryEnd : bytes.count
      var mutator = Mutator(seed: random.next(), .binary, changes: 1...6)
      bytes = mutator.mutated(bytes, in: 24..<end)
      reseal(&bytes)
      outcomes.count { _ = try answers(bytes) }
    }
    #expect(outcomes.isMixed)
  }

  @Test("A forged byte of the directory traps nowhere")
  func forgedDirectory() throws {
    var outcomes = Outcomes()
    let changes: [UInt8] = TestSize.isAll ? [1, 2, 0x10, 0xff] : [0xff]
    for offset in 24..<Self.directoryEnd {
      for change in changes {
        var bytes = file
        bytes[offset] ^= change
        reseal(&bytes)
        outcomes.count { _ = try answers(bytes) }
      }
    }
    #expect(outcomes.isMixed)
  }

  /// Sets all checksums to those of the contents.
  func reseal(_ bytes: inout [UInt8]) {
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
    }
    func set(_ checksum: UInt32, at offset: Int) {
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: checksum >> (byte * 8)) }
    }
    for entry in stride(from: 32, to: Self.directoryEnd, by: 48) {
      let (offset, size) = (number(entry + 32, 8), number(entry + 40, 8))
      guard offset >= 0, size >= 0, offset <= bytes.count, size <= bytes.count - offset else {
        continue
      }
      set(CRC32.checksum(of: ByteView(bytes[offset..<offset + size])), at: entry + 16)
    }
    set(CRC32.checksum(of: ByteView(bytes[16..<Self.directoryEnd])), at: 12)
  }
}
