import Testing

@testable import JQ

@Suite("Programs of jq") struct JQProgramTests {
  private func lines(_ program: String, _ json: String) throws -> [String] {
    let bytes = try JQProgram(program).lines(for: Array(json.utf8))
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  @Test("Strings are printed as they are, other values as JSON, a line each")
  func results() throws {
    let json = #"[{"id": "TERN-1", "reports": 3}, {"id": "TERN-2\t\u00e9", "reports": 1}]"#
    #expect(try lines(".[].id", json) == ["TERN-1", "TERN-2\té"])
    #expect(try lines("map(.reports) | add", json) == ["4"])
    #expect(try lines(".[0]", json) == [#"{"id":"TERN-1","reports":3}"#])
    #expect(try lines("empty", json).isEmpty)
    #expect(try lines(".[1].none", json) == ["null"])
  }

  @Test("A program runs on several values, one after another")
  func again() throws {
    let program = try JQProgram(".a")
    for number in 0..<3 {
      let line = try program.lines(for: Array("{\"a\": \(number)}".utf8))
      #expect(line == Array("\(number)\n".utf8))
    }
  }

  @Test("A wrong program is refused with its reason", arguments: [".[", "foo", "{a:", ".a |"])
  func wrong(_ text: String) throws {
    let error = #expect(throws: JQError.self) { try JQProgram(text) }
    guard case .wrongProgram(let reason) = try #require(error) else {
      Issue.record("\(error.debugDescription)")
      return
    }
    #expect(!reason.isEmpty && !reason.contains("jq: error") && !reason.contains("compile error"))
  }

  @Test("A program that fails on a value says why, and can be used again")
  func failure() throws {
    let program = try JQProgram(".[0].id")
    let error = #expect(throws: JQError.self) { try program.lines(for: Array("7".utf8)) }
    #expect(error == .failed("Cannot index number with number"))
    #expect(try program.lines(for: Array(#"[{"id": "x"}]"#.utf8)) == Array("x\n".utf8))
    #expect(throws: JQError.self) { try program.lines(for: Array("{".utf8)) }
    #expect(throws: JQError.self) { try program.lines(for: []) }
  }

  @Test("A value that is nested too deep is refused")
  func deep() throws {
    let json = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    let program = try JQProgram(".")
    #expect(throws: JQError.self) { try program.lines(for: Array(json.utf8)) }
  }
}
