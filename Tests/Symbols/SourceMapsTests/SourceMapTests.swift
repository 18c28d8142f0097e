import Bytes
import Identifiers
import SourceMaps
import TestSupport
import Testing

@Suite struct SourceMapTests {
  /// A segment of a map: generated column, then source, line, column and name, all from 0.
  struct Segment {
    var numbers: [Int]
    init(_ numbers: Int...) { self.numbers = numbers }
  }

  /// The `mappings` of lines of segments.
  static func mappings(_ lines: [[Segment]]) -> String {
    var last = [0, 0, 0, 0, 0]
    return lines.map { line in
      last[0] = 0
      return line.map { segment in
        zip(segment.numbers.indices, segment.numbers).map { index, number in
          let difference = number - last[index]
          last[index] = number
          return vlq(difference)
        }.joined()
      }.joined(separator: ",")
    }.joined(separator: ";")
  }

  static func vlq(_ number: Int) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var rest = number < 0 ? -number << 1 | 1 : number << 1
    var text = ""
    repeat {
      let digit = rest & 31
      rest >>= 5
      text.append(digits[digit | (rest > 0 ? 32 : 0)])
    } while rest > 0
    return text
  }

  static func map(
    _ lines: [[Segment]], sources: String = #"["a.js","b.js"]"#, names: String = #"["total"]"#,
    more: String = ""
  ) -> String {
    #"{"version":3,"file":"shop.min.js","sources":\#(sources),"names":\#(names),"#
      + #""mappings":"\#(mappings(lines))"\#(more)}"#
  }

  static func read(_ text: String) throws -> SourceMap {
    try SourceMap(parsing: ByteView(text.utf8))
  }

  static func place(_ map: SourceMap, _ line: Int, _ column: Int?) -> String? {
    map.location(line: line, column: column).map {
      "\($0.file):\($0.line):\($0.column)" + ($0.name.map { " \($0)" } ?? "")
    }
  }

  @Test("The last segment at or before a column counts, on its own line only")
  func lookUp() throws {
    let map = try Self.read(
      Self.map([
        [Segment(4, 0, 0, 2), Segment(10, 1, 7, 0, 0), Segment(20), Segment(30, 0, 3, 1)],
        [], [Segment(0, 1, 9, 4)],
      ]))
    #expect(map.file == "shop.min.js")
    #expect(map.segmentCount == 5)
    #expect(Self.place(map, 1, 4) == nil)
    #expect(Self.place(map, 1, 5) == "a.js:1:3")
    #expect(Self.place(map, 1, 10) == "a.js:1:3")
    #expect(Self.place(map, 1, 11) == "b.js:8:1 total")
    #expect(Self.place(map, 1, 21) == nil, "code that comes from no source")
    #expect(Self.place(map, 1, 31) == "a.js:4:2")
    #expect(Self.place(map, 1, 100_000) == "a.js:4:2")
    #expect(Self.place(map, 2, 1) == nil)
    #expect(Self.place(map, 3, 1) == "b.js:10:5")
    #expect(Self.place(map, 4, 1) == nil)
    #expect(Self.place(map, 0, 1) == nil)
    #expect(Self.place(map, 1, 0) == nil)
    #expect(Self.place(map, -1, -1) == nil)
    #expect(Self.place(map, .max, .max) == nil)
  }

  @Test("A random map gives the same as a search through all its segments")
  func random() throws {
    var random = SplitMix(seed: 7)
    for round in 0..<20 {
      var lines: [[Segment]] = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        var column = 0
        var line: [Segment] = []
        let isSorted = round % 3 != 0 || Bool.random(using: &random)
        for _ in 0..<Int.random(in: 0...200, using: &random) {
          column =
            isSorted
            ? column + Int.random(in: 0...9, using: &random)
            : Int.random(in: 0...99, using: &random)
          let source = Int.random(in: 0...1, using: &random)
          let at = Int.random(in: 0...999, using: &random)
          switch Int.random(in: 0...9, using: &random) {
          case 0: line.append(Segment(column))
          case 1: line.append(Segment(column, source, at, 3, 0))
          default: line.append(Segment(column, source, at, 5))
          }
        }
        lines.append(line)
      }
      let map = try Self.read(Self.map(lines))
      for (index, line) in lines.enumerated() {
        for column in stride(from: 0, to: 300, by: 7) {
          // The first of several at the column. Default: the last before it.
          let order = line.enumerated().sorted {
            ($0.element.numbers[0], $0.offset) < ($1.element.numbers[0], $1.offset)
          }.map(\.element)
          let found =
            order.first { $0.numbers[0] == column } ?? order.last { $0.numbers[0] < column }
          let expected = found.flatMap { segment -> String? in
            guard segment.numbers.count > 1 else { return nil }
            return "\(segment.numbers[1] == 0 ? "a" : "b").js:\(segment.numbers[2] + 1)"
          }
          let place = map.location(line: index + 1, column: column + 1)
          #expect(place.map { "\($0.file):\($0.line)" } == expected, "\(round) \(index):\(column)")
        }
      }
    }
  }

  @Test("Without a column, a line has a result if all of it comes from one line")
  func withoutColumn() throws {
    let map = try Self.read(
      Self.map([
        [Segment(0, 0, 4, 0), Segment(9, 0, 4, 9)], [Segment(0, 0, 5, 0), Segment(9, 0, 6, 0)], [],
      ]))
    #expect(Self.place(map, 1, nil) == "a.js:5:1")
    #expect(Self.place(map, 2, nil) == nil)
    #expect(Self.place(map, 3, nil) == nil)
  }

  @Test("Sections apply from where they begin, in any order and nested")
  func sections() throws {
    let first = Self.map([[Segment(0, 0, 0, 0)], [Segment(2, 0, 1, 0)]], sources: #"["one.js"]"#)
    let second = Self.map([[Segment(0, 0, 4, 0)]], sources: #"["two.js"]"#)
    let nested =
      #"{"version":3,"sections":[{"offset":{"line":0,"column":3},"map":\#(second)}]}"#
    let map = try Self.read(
      #"{"version":3,"sections":[{"map":\#(nested),"offset":{"line":1,"column":10}},"#
        + #"{"offset":{"line":0,"column":5},"map":\#(first)},"#
        + #"{"offset":{"line":9,"column":0},"url":"elsewhere.map"}]}"#)
    #expect(Self.place(map, 1, 5) == nil)
    #expect(Self.place(map, 1, 6) == "one.js:1:1")
    #expect(Self.place(map, 2, 3) == "one.js:2:1", "the second line counts from its own start")
    #expect(Self.place(map, 2, 13) == "one.js:2:1")
    #expect(Self.place(map, 2, 14) == "two.js:5:1")
    #expect(Self.place(map, 10, 1) == nil, "a section without a map covers its code")
  }

  @Test("Root, ids, the line against scripts, escapes and the list of ignored sources")
  func members() throws {
    let id = "6c1b8a1e-52b4-4a6f-9c1e-0123456789ab"
    let map = try Self.read(
      ")]}'\n"
        + Self.map(
          [[Segment(0, 0, 0, 0), Segment(1, 1, 0, 0)]],
          sources: #"["src\/\u0061.js","https://cdn.example/b.js"]"#,
          more: #","sourceRoot":"/app","debug_id":"\#(id)","x_google_ignoreList":[1,-5,9]"#))
    #expect(map.debugID == DebugID(id))
    #expect(map.location(line: 1, column: 1)?.file == "/app/src/a.js")
    #expect(map.location(line: 1, column: 1)?.isIgnored == false)
    #expect(map.location(line: 1, column: 2)?.file == "https://cdn.example/b.js")
    #expect(map.location(line: 1, column: 2)?.isIgnored == true)
    let escaped = Self.map([[Segment(0, 0, 500, 0)]]).replacing("AAo", with: #"\u0041Ao"#)
    #expect(try Self.place(Self.read(escaped), 1, 1) == "a.js:501:1")
  }

  @Test("The functions of a source come from Metro's function map, or otherwise from its text")
  func functions() throws {
    let metro = try Self.read(
      Self.map(
        [[Segment(0, 0, 0, 0), Segment(5, 0, 2, 4), Segment(9, 1, 0, 27)]],
        more:
          #","x_facebook_sources":[[{"names":["<global>","Cart#total"],"mappings":"AAA;ECE"}],null],"#
          + #""sourcesContent":["","export function pay(sum) { charge(sum); }"]"#))
    #expect(metro.location(line: 1, column: 1)?.function == .topLevel)
    #expect(metro.location(line: 1, column: 6)?.function == .named("Cart.total"))
    #expect(metro.location(line: 1, column: 10)?.function == .named("pay"))
    #expect(metro.text(of: "b.js") == "export function pay(sum) { charge(sum); }")
    #expect(metro.text(of: "c.js") == nil)
  }

  @Test(
    "What is damaged is refused with its place",
    arguments: [
      #"{"version":3,"sources":[],"names":[],"mappings":"A"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"!"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"g"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"AA"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"AAA"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"D"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"ADAA"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"gggggggggggggB"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"+/////H"}"#,
      #"{"version":3,"sources":[],"names":[],"mappings":"+/////D,+/////D"}"#,
      #"{"version":3,"sections":[{"offset":{"line":-1,"column":0},"map":{"version":3,"mappings":""}}]}"#,
      #"{"version":3,"sections":[{"offset":{"line":9223372036854775807,"column":0}}]}"#,
      #"{"version":2,"sources":[],"names":[],"mappings":"A"}"#,
    ])
  func damaged(text: String) throws {
    let error = #expect(throws: ParseError.self) { try Self.read(text) }
    #expect(error?.kind != .notRecognised)
  }

  @Test(
    "Another document is not a map",
    arguments: [
      #"{"version":3,"targets":{"net8.0":{}}}"#, #"{"version":"1.2.0","name":"shop"}"#, "[3]", "",
      "{}",
      #"{"version":3,"mappings":7}"#,
    ])
  func others(text: String) {
    let error = #expect(throws: ParseError.self) { try Self.read(text) }
    #expect([.notRecognised, .truncated(needed: 1, left: 0)].contains(error?.kind))
  }

  @Test("The first bytes show whether it may be a map")
  func recognised() {
    for text in [
      #"{"version":3,"so"#, ")]}'\n{\"version\":3,", " {\n  \"mappings\" : \"AAAA",
      #"{"x_facebook_sources":"#,
    ] {
      #expect(SourceMap.mayBegin(ByteView(text.utf8)), "\(text)")
    }
    for text in [
      "", "{", "[", "<html>", #"{"event_id":"1"}"#, #"{"name":"shop","version":3"#, "\u{7f}ELF",
    ] {
      #expect(!SourceMap.mayBegin(ByteView(text.utf8)), "\(text)")
    }
  }

  @Test("An index of sources or names that does not exist names nothing")
  func missingSources() throws {
    let map = try Self.read(Self.map([[Segment(0, 9, 0, 0), Segment(4, 0, 1, 0, 7)]]))
    #expect(Self.place(map, 1, 1) == nil)
    #expect(Self.place(map, 1, 5) == "a.js:2:1")
  }

  @Test("Prefixes and mutations of a map are read or refused")
  func mutations() throws {
    let text = Self.map(
      [[Segment(0, 0, 0, 0), Segment(5, 0, 2, 4, 0)], [], [Segment(9, 1, 0, 20)]],
      more: #","x_facebook_sources":[[{"names":["<global>","a"],"mappings":"AAA;ECE"}],null],"#
        + #""sourcesContent":["","let f = (a) => { if (a) { g(`${a}`) } }"],"ignoreList":[0]"#)
    let bytes = Array(text.utf8)
    var read = 0
    var mutator = Mutator(seed: 3)
    let prefixes = bytes.indices.map { Array(bytes[..<$0]) }
    for variant in prefixes + mutator.copies(of: bytes, count: 2000) {
      guard let map = try? SourceMap(parsing: ByteView(variant)) else { continue }
      read += 1
      for column in 1..<30 { _ = map.location(line: 1, column: column) }
      _ = map.location(line: 3, column: nil)
    }
    #expect(read > 0)
  }
}
