/// The part of an object that an answer has.
///
/// Source: RFC 9110 14.4: `Content-Range: bytes 0-9/100`, or `*` for a length that is not known.
struct ContentRange: Hashable {
  let range: Range<Int>
  let total: Int?

  /// - Returns: `nil` for anything else, and for a part outside the object.
  init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < .max
    else { return nil }
    if halves[1] == "*" {
      total = nil
    } else {
      guard let number = Self.number(halves[1]), number > last else { return nil }
      total = number
    }
    range = first..<last + 1
  }

  /// A number without a sign.
  static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}
