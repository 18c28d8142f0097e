import Bytes
import DWARF
import Testing

@Suite("Reading call frames")
struct CallFrameReaderTests {
  /// Records its arguments.
  private struct Record: CallFrameOutput {
    var lines: [String] = []

    mutating func addExpression(_ operations: [UInt8]) -> UInt32 {
      lines.append("expression \(operations)")
      return 7
    }

    mutating func open(_ start: UInt32, _ end: UInt32) { lines.append("open \(start) \(end)") }

    mutating func addRow(_ start: UInt32, _ row: borrowing CallFrameRules) throws(ParseError) {
      var line = "\(start) \(row.head.cfa)"
      for index in 0..<row.rules.count {
        let rule = row.rules[index]
        line += " \(rule.register) \(rule.kind) \(rule.value)"
      }
      lines.append(line)
    }

    mutating func close(at end: UInt32?) { lines.append("close \(end.map { "\($0)" } ?? "-")") }

    mutating func note(_ text: String) { lines.append(text) }
  }

  private func lines(_ program: [UInt8]) -> [String] {
    // A common entry: version 4, addresses of 4 bytes, the CFA at register 4 plus 4, register 8 at -4.
    let common: [UInt8] = [4, 0, 4, 0, 1, 0x7c, 8, 0x0c, 4, 4, 0x88, 1]
    let function: [UInt8] = [0, 0x20, 0, 0, 0x10, 0, 0, 0] + program
    func entry(_ id: UInt32, _ contents: [UInt8]) -> [UInt8] {
      let id = (0..<4).map { UInt8(truncatingIfNeeded: id >> UInt32($0 * 8)) }
      return [UInt8(contents.count + 4), 0, 0, 0] + id + contents
    }
    let section = CallFrameSection(
      bytes: ByteView(entry(.max, common) + entry(0, function)), isEHFrame: false,
      endianness: .little, addressSize: 4, bases: PointerEncoding.Bases(section: 0),
      imageBase: 0x1000, code: [0x2000..<0x3000])
    var record = Record()
    var reader = CallFrameReader(section)
    reader.read(into: &record)
    return record.lines
  }

  @Test("Rows need neither an object file nor a file of rules")
  func rows() {
    let first = "4096 register(4, offset: 4) 8 offset -4"
    #expect(
      lines([0x41, 0x0e, 8, 0x83, 2, 0x10, 2, 1, 0x30]) == [
        "open 4096 4112", first, "expression [48]",
        "4097 register(4, offset: 8) 2 expression 7 3 offset -8 8 offset -4", "close -",
      ])
  }

  @Test("Damage ends the function where the program is")
  func damage() {
    #expect(
      lines([0x42, 0x3f]) == [
        "open 4096 4112", "4096 register(4, offset: 4) 8 offset -4", "close 4098",
        "debug_frame: call frame entry: instruction 0x3f at 0x26 is not supported",
      ])
  }
}
