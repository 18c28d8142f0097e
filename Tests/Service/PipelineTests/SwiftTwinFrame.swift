/// A frame of a Swift backtrace, in either form.
struct SwiftTwinFrame {
  private let flags: Substring
  private let image: Substring
  private let symbol: Substring
  private let offset: Substring
  private let description: Substring
  private let place: Substring?

  /// `FLAGS IMAGE SYMBOL OFFSET = DESCRIPTION @ PLACE`; the flags are `r` for a return address, `a` for an
  /// asynchronous call, `i` for an inlined one, `s` for `[system]`, `t` for `[thunk]`, `-` for none.
  init(_ line: Substring) {
    let halves = line.split(separator: " = ", maxSplits: 1)
    let place = halves[1].split(separator: " @ ", maxSplits: 1, omittingEmptySubsequences: false)
    description = place[0]
    self.place = place.count > 1 ? place[1] : nil
    let names = halves[0].split(separator: " ", maxSplits: 2)
    flags = names[0]
    image = names[1]
    let end = names[2].lastIndex(of: " ") ?? names[2].endIndex
    symbol = names[2][..<end]
    offset = names[2][end...].dropFirst()
  }

  init(_ line: String) { self.init(line[...]) }

  private var address: String { image == "shop" ? "0x0000558000001003" : "0x00007f0000001003" }

  private var isWithoutOffset: Bool { flags.contains("i") || flags.contains("a") }

  func textLine(_ index: Int) -> String {
    let words = [
      ("r", "[ra]"), ("a", "[async]"), ("i", "[inlined]"), ("s", "[system]"), ("t", "[thunk]"),
    ]
    let marks = words.filter { flags.contains($0.0) }.map { $0.1 + " " }.joined()
    let end = isWithoutOffset ? "" : " + \(offset)"
    let place = place.map { " at \($0)" } ?? ""
    return "\(index) \(marks)\(address) \(description)\(end) in \(image)\(place)"
  }

  var jsonObject: String {
    let kind =
      flags.contains("r")
      ? "returnAddress" : flags.contains("a") ? "asyncResumePoint" : "programCounter"
    var members = [
      #""kind": "\#(kind)""#, #""address": "\#(address)""#, #""symbol": "\#(symbol)""#,
      #""offset": \#(offset)"#, #""image": "\#(image)""#,
      #""description": "\#(description)\#(isWithoutOffset ? "" : " + \(offset)")""#,
    ]
    for (flag, name) in [("i", "inlined"), ("s", "system"), ("t", "thunk")]
    where flags.contains(flag) {
      members.append("\"\(name)\": true")
    }
    if let place {
      let parts = place.split(separator: ":")
      let numbers = parts.count == 3 ? parts[1...] : ["0", "0"]
      members.append(
        #""sourceLocation": {"file": "\#(parts[0])", "line": \#(numbers[numbers.startIndex]), "column": \#(numbers[numbers.startIndex + 1])}"#
      )
    }
    return "{" + members.joined(separator: ", ") + "}"
  }
}
