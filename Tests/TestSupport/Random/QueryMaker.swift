/// Queries of random conditions on values that there are.
///
/// It knows the language only as docs/use/query.md tells it.
public struct QueryMaker {
  /// Values by field; the fields of `names` are compared as a whole, those of `texts` in part.
  public var names: [String: [String]] = [:]
  public var texts: [String: [String]] = [:]
  public var versions: [String: [String]] = [:]
  public var numbers: [String: [Int]] = [:]
  public var times: [String: [String]] = [:]
  public var choices: [String: [String]] = [:]
  private var random: SplitMix

  public init(seed: UInt64) { random = SplitMix(seed: seed) }

  public mutating func query() -> String {
    (0...random.below(3)).map { _ in
      (random.below(4) == 0 ? "-" : "") + condition()
    }.joined(separator: " ")
  }

  private mutating func condition() -> String {
    switch random.below(8) {
    case 0, 1: values(names) { maker, value in maker.name(value) }
    case 2: values(texts) { maker, value in maker.part(value) }
    case 3: values(versions) { maker, value in maker.ordered(value) }
    case 4: values(numbers.mapValues { $0.map(String.init) }) { $0.ordered($1) }
    case 5: values(times) { $0.ordered($1) }
    case 6: values(choices) { $1 }
    default: word()
    }
  }

  private mutating func values(
    _ fields: [String: [String]], _ write: (inout QueryMaker, String) -> String
  ) -> String {
    let field = random.pick(fields.keys.sorted())
    let alternatives = (0...(random.below(3) == 0 ? 2 : 0)).map { _ in
      write(&self, random.pick(fields[field] ?? [""]))
    }
    return field + ":" + alternatives.joined(separator: "|")
  }

  /// Words without a field: a part of any text.
  private mutating func word() -> String {
    let all = texts.keys.sorted().flatMap { texts[$0] ?? [] }.filter { !$0.isEmpty }
    return part(random.pick(all))
  }

  private mutating func name(_ value: String) -> String {
    switch random.below(6) {
    case 0: return "\"\""
    case 1: return "*"
    case 2 where value.count > 2: return quoted(value.uppercased())
    case 3 where value.count > 2:
      return plain(String(value.prefix(1 + random.below(value.count)))) + "*"
    case 4 where value.count > 2:
      return "*" + plain(String(value.suffix(random.below(value.count))))
    default: return quoted(value)
    }
  }

  private mutating func part(_ value: String) -> String {
    let letters = Array(value)
    guard letters.count > 1 else { return quoted(value.isEmpty ? "x" : value) }
    let start = random.below(letters.count)
    let end = start + 1 + random.below(letters.count - start)
    let part = String(letters[start..<end])
    switch random.below(5) {
    case 0: return quoted(part.uppercased())
    case 1 where part.count > 3:
      let middle = part.index(part.startIndex, offsetBy: part.count / 2)
      return plain(String(part[..<middle])) + "*" + plain(String(part[middle...].dropFirst()))
    case 2 where part.count > 3:
      return plain(String(part.dropLast())) + "?"
    default: return quoted(part)
    }
  }

  private mutating func ordered(_ value: String) -> String {
    let value = value.contains(" ") ? quoted(value) : value
    switch random.below(7) {
    case 0: return ">" + value
    case 1: return ">=" + value
    case 2: return "<" + value
    case 3: return "<=" + value
    case 4: return value + ".."
    case 5: return ".." + value
    default: return value.isEmpty ? "\"\"" : value
    }
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Without what ends a value or begins something else.
  private func plain(_ text: String) -> String {
    let kept = text.filter { $0.isLetter || $0.isNumber || "._/:()".contains($0) }
    return kept.first.map { $0.isLetter } == true ? kept : "x" + kept
  }
}
