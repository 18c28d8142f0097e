import Bytes
import TestSupport
import Testing

@testable import ObjectFormats

/// Files whose end is missing: a copy or an upload that ended early.
@Suite("Truncated files") struct TruncationTests {
  /// The debug files whose headers say where they end.
  static let samples = Samples.allSymbols.filter { path in
    guard !path.hasPrefix("expected/"), !path.hasSuffix(".wasm"),
      let bytes = try? ByteView(mapping: Samples.debugFile(path))
    else { return false }
    return ObjectFile.isObject(bytes) && !BreakpadFile.isHeader(bytes)
  }

  @Test("Every sample is complete, and at no shorter length", arguments: samples)
  func lengths(path: String) throws {
    let bytes = try ByteView(mapping: Samples.debugFile(path))
    #expect(try ObjectFile.objects(in: bytes).allSatisfy { $0.truncation == nil })
    let near = [1, 2, 3, 8, 64].map { bytes.count - $0 }
    for length in (1..<24).map({ bytes.count * $0 / 24 }) + near {
      let cut = bytes.clamped(0..<length)
      guard let objects = try? ObjectFile.objects(in: cut) else { continue }
      #expect(
        objects.contains { $0.truncation != nil } || isPadding(bytes, from: length),
        "\(length) of \(bytes.count) bytes")
    }
  }

  /// Whether no header refers to the missing bytes: the space between parts.
  private func isPadding(_ bytes: ByteView, from length: Int) -> Bool {
    let parts = (try? ObjectFile.objects(in: bytes))?.flatMap { object in
      object.container == .elf || object.container == .pe ? object.filedParts : []
    }
    guard let parts, !parts.isEmpty else { return false }
    return parts.allSatisfy { $0.offset + $0.size <= UInt64(length) }
  }

  @Test("A universal file without its last slice is truncated as a whole")
  func slices() throws {
    let one = MachOTests.program().build()
    let file = ObjectBuilderMachO.universal([one, one])
    #expect(try ObjectFile.objects(in: ByteView(file)).count == 2)
    #expect(throws: ParseError.self) {
      try ObjectFile.slices(in: ByteView(Array(file.dropLast(1))))
    }
  }

  /// Some linkers put the section headers first.
  @Test("An ELF file whose section headers are at its beginning names what is missing")
  func headersFirst() throws {
    let whole = ELFTests.program().build()
    #expect(try ObjectFile.objects(in: ByteView(whole)).first?.truncation == nil)
    // The headers moved to the front, where nothing cuts them off.
    var moved = whole
    func read(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(whole[offset + $1]) << (8 * $1) }
    }
    let (table, size, count) = (read(40, 8), read(58, 2), read(60, 2))
    let headers = Array(whole[table..<(table + size * count)])
    let room = 64 + read(54, 2) * read(56, 2)
    moved.insert(contentsOf: headers, at: room)
    for index in 0..<8 { moved[40 + index] = UInt8(truncatingIfNeeded: room >> (8 * index)) }
    for section in 0..<count {
      let place = room + section * size + 24
      let old = (0..<8).reduce(0) { $0 | Int(moved[place + $1]) << (8 * $1) }
      guard old >= room else { continue }
      for index in 0..<8 {
        moved[place + index] = UInt8(truncatingIfNeeded: (old + headers.count) >> (8 * index))
      }
    }
    #expect(try ObjectFile.objects(in: ByteView(moved)).first?.truncation == nil)
    let end = table + headers.count
    let cut = ByteView(Array(moved.prefix(end - 16)))
    let error = try #require(try ObjectFile.objects(in: cut).first?.truncation)
    #expect(error.description.hasPrefix("cut-off file: section "))
  }
}
