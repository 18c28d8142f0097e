internal import Identifiers
internal import Spelling

/// A value as written.
private struct Word {
  let text: String
  let isQuoted: Bool
  let range: Range<Int>

  /// The text that parses to the same value.
  var written: String {
    let isPlain =
      !text.isEmpty && text.lowercased() != Query.me && !text.contains("..") && text.first != "-"
      && text.first != "."
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
          || "._-/@,+()".unicodeScalars.contains($0)
      }
    return isQuoted && !isPlain ? text.quoted : text
  }
}

extension QueryParser {
  /// Parses one value, up to a blank or `|`.
  mutating func alternative(of field: QueryField) throws(QueryError) -> Condition.Alternative {
    switch field.kind {
    case .name, .text: try textAlternative(of: field)
    case .choice: try choice(of: field)
    case .exact: try exact(of: field)
    case .version, .number, .time: try ordered(of: field)
    }
  }

  // MARK: Text

  private mutating func textAlternative(
    of field: QueryField
  ) throws(QueryError) -> Condition.Alternative {
    let start = position
    var isWhole = field.kind == .name
    var sign = ""
    if field != .words, peek == "=", position + 1 < scalars.count,
      !scalars[position + 1].properties.isWhitespace
    {
      position += 1
      isWhole = true
      sign = "="
    }
    var word = try word(for: field)
    if field.sources == [.assignee], !word.isQuoted, word.text.lowercased() == Query.me {
      guard let me else { return Self.caller(of: field) }
      word = Word(text: me, isQuoted: true, range: word.range)
    }
    if word.text.isEmpty {
      guard field != .words else {
        throw error("nothing to search for", start..<position)
      }
      return absent(field)
    }
    let anchor: TextPattern.Anchor =
      field.isStart ? (sign.isEmpty ? .start : .whole) : isWhole ? .whole : .anywhere
    let pattern = TextPattern(
      Self.signal(word, of: field) ?? word.text, anchor, hasWildcards: !word.isQuoted)
    try checkWildcards(of: word)
    // The name of an app is that app and no other, in letter case, too: access is limited by it.
    if field.sources == [.app], word.isQuoted || !word.text.contains(where: { "*?".contains($0) }) {
      return Condition.Alternative(
        test: .exact(word.text), sources: field.sources,
        text: ("=:".contains(word.written.prefix(1)) ? sign : "") + word.written)
    }
    // A name is compared as a whole anyway, but not every name can follow the colon.
    let written = word.written
    let isPlain = field.kind == .name && !field.isStart && !"=:".contains(written.prefix(1))
    return Condition.Alternative(
      test: .text(pattern), sources: field.sources, text: (isPlain ? "" : sign) + written)
  }

  /// `assignee:me` where it is not known who that is: whoever is asked with this query decides.
  private static func caller(of field: QueryField) -> Condition.Alternative {
    Condition.Alternative(
      test: .text(TextPattern(Query.me, .whole, hasWildcards: false)), sources: field.sources,
      text: Query.me)
  }

  /// The full name of a signal that is abbreviated: `SEGV`.
  private static func signal(_ word: Word, of field: QueryField) -> String? {
    guard field.sources == [.signal], !word.isQuoted, !word.text.isEmpty,
      !word.text.uppercased().hasPrefix("SIG"),
      word.text.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic })
    else { return nil }
    return "SIG" + word.text
  }

  private func checkWildcards(of word: Word) throws(QueryError) {
    guard !word.isQuoted else { return }
    let count = word.text.utf8.count { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    if count > QueryLimits.wildcards {
      throw error("more than \(QueryLimits.wildcards) wildcards", word.range)
    }
  }

  /// A value with several sources is absent when the first source is.
  private func absent(_ field: QueryField) -> Condition.Alternative {
    Condition.Alternative(
      test: .absent, sources: Array(field.sources.prefix(1)), text: "\"\"")
  }

  private mutating func choice(
    of field: QueryField
  ) throws(QueryError) -> Condition.Alternative {
    let word = try word(for: field)
    let choice = word.text.lowercased()
    guard field.choices.contains(choice) else {
      throw error(
        "'\(word.text)' is not a value of \(field.name):", word.range,
        hint: Self.hint(for: choice, of: field))
    }
    if choice == QueryField.unassigned {
      return Condition.Alternative(test: .absent, sources: [.assignee], text: choice)
    }
    if choice == QueryField.newWord, field.sources.count > 1 {
      let start = Timestamp(
        seconds: now.seconds - Int64(QueryField.newDays) * 86_400, nanoseconds: now.nanoseconds)
      return Condition.Alternative(
        test: .time(Bounds(.above, start)), sources: [.firstSeen], text: choice)
    }
    let source: ValueSource =
      field.sources.count == 1
      ? field.sources[0]
      : QueryField.states.contains(choice)
        ? .state : QueryField.kinds.contains(choice) ? .kind : .provisional
    return Condition.Alternative(
      test: .text(TextPattern(choice, .whole, hasWildcards: false)), sources: [source],
      text: choice)
  }

  private mutating func exact(
    of field: QueryField
  ) throws(QueryError) -> Condition.Alternative {
    let word = try word(for: field)
    guard !word.text.isEmpty else { return absent(field) }
    if !word.isQuoted, word.text.contains("*") || word.text.contains("?") {
      throw error(
        "\(field.name): takes no wildcards", word.range,
        hint: "Only its hash is stored, so give the complete value.")
    }
    return Condition.Alternative(
      test: .exact(
        field.sources == [.incident] ? ReportValues.canonical(incident: word.text) : word.text),
      sources: field.sources, text: word.written)
  }

  // MARK: Versions, numbers, times

  private mutating func ordered(
    of field: QueryField
  ) throws(QueryError) -> Condition.Alternative {
    let start = position
    if let comparison = comparison() {
      guard !isAtEnd, !isBlank, peek != "|" else {
        throw error(
          "no value after '\(comparison.rawValue)'", start..<position,
          hint: "Such as: \(field.example)")
      }
      let word = try word(for: field)
      let test = try bounded(field, comparison, word)
      return Condition.Alternative(
        test: test, sources: sources(of: field, word), text: comparison.rawValue + word.written)
    }
    if field.kind == .version, peek == "=", position + 1 < scalars.count,
      !scalars[position + 1].properties.isWhitespace, scalars[position + 1] != "|"
    {
      position += 1
      return try single(field, try word(for: field), isWhole: true)
    }
    var lower: Word?
    if !isRange { lower = try word(for: field, endsAtRange: true) }
    guard isRange else {
      guard let word = lower else { throw error("no value", start..<position) }
      return try single(field, word)
    }
    let dots = position
    position += 2
    var upper: Word?
    if !isAtEnd, !isBlank, peek != "|" { upper = try word(for: field) }
    guard lower != nil || upper != nil else {
      throw error("'..' has neither a lower nor an upper end", dots..<position)
    }
    let test = try range(field, lower, upper, start..<position)
    let text = (lower?.written ?? "") + ".." + (upper?.written ?? "")
    return Condition.Alternative(
      test: test, sources: sources(of: field, lower ?? upper), text: text)
  }

  private mutating func comparison() -> ComparisonOperator? {
    for comparison in ComparisonOperator.allCases {
      let sign = comparison.rawValue.unicodeScalars
      if scalars[position...].starts(with: sign) {
        position += sign.count
        return comparison
      }
    }
    return nil
  }

  private var isRange: Bool {
    position + 1 < scalars.count && scalars[position] == "." && scalars[position + 1] == "."
  }

  /// A version with a build is compared with both.
  private func sources(of field: QueryField, _ word: Word?) -> [ValueSource] {
    guard field.sources.count == 2 else { return field.sources }
    return word?.text.contains("(") == true ? [.release] : [.version]
  }

  /// - Parameter isWhole: Whether `=` requires exactly this version.
  private func single(
    _ field: QueryField, _ word: Word, isWhole: Bool = false
  ) throws(QueryError) -> Condition.Alternative {
    guard !word.text.isEmpty else {
      return absent(field)
    }
    let test: QueryTest
    switch field.kind {
    case .number:
      let number = try number(word)
      test = .number(Bounds(lower: included(number), upper: included(number)))
    case .time:
      let span = try time(word)
      guard !span.isRelative else {
        throw error(
          "'\(word.text)' alone is too short", word.range,
          hint: "Write <\(word.text) for less than that ago, >\(word.text) for more.")
      }
      test = .time(
        Bounds(lower: included(span.start), upper: .init(value: span.end, isIncluded: false)))
    default:
      try checkWildcards(of: word)
      // `1.4` also matches 1.4.2; a build is a single number.
      let isPrefix =
        field.name != "build" && !isWhole && !word.isQuoted
        && !word.text.contains { "*?()".contains($0) }
      test = .text(
        TextPattern(
          Self.spaced(word.text), isPrefix ? .components : .whole, hasWildcards: !word.isQuoted))
    }
    return Condition.Alternative(
      test: test, sources: sources(of: field, word),
      text: Self.written(word, of: field, isWhole: isWhole))
  }

  /// A version without quotes also matches those below it, so one that lost its quotes gets `=`.
  private static func written(_ word: Word, of field: QueryField, isWhole: Bool) -> String {
    let lostQuotes = word.isQuoted && word.written == word.text && field.kind == .version
    return (isWhole || lostQuotes && field.name != "build" ? "=" : "") + word.written
  }

  private func included<Value>(_ value: Value) -> Bounds<Value>.End {
    Bounds<Value>.End(value: value, isIncluded: true)
  }

  private func bounded(
    _ field: QueryField, _ comparison: ComparisonOperator, _ word: Word
  ) throws(QueryError) -> QueryTest {
    switch field.kind {
    case .number: return .number(Bounds(comparison, try number(word)))
    case .time:
      let span = try time(word)
      if span.isRelative {
        // Less than seven days ago is later than then.
        let turned: ComparisonOperator =
          switch comparison {
          case .below: .above
          case .atMost: .atLeast
          case .above: .below
          case .atLeast: .atMost
          }
        return .time(Bounds(turned, span.start))
      }
      switch comparison {
      case .below: return .time(Bounds(.below, span.start))
      case .atLeast: return .time(Bounds(.atLeast, span.start))
      // After the end of the named span: a day, a minute.
      case .above: return .time(Bounds(.atLeast, span.end))
      case .atMost: return .time(Bounds(.below, span.end))
      }
    default: return .version(Bounds(comparison, try version(word)))
    }
  }

  private func range(
    _ field: QueryField, _ lower: Word?, _ upper: Word?, _ range: Range<Int>
  ) throws(QueryError) -> QueryTest {
    switch field.kind {
    case .number:
      var bounds = Bounds<Double>()
      if let lower { bounds.lower = included(try number(lower)) }
      if let upper { bounds.upper = included(try number(upper)) }
      try checkOrder(bounds, range)
      return .number(bounds)
    case .time:
      var bounds = Bounds<Timestamp>()
      if let lower { bounds.lower = included(try time(lower).start) }
      if let upper {
        let span = try time(upper)
        bounds.upper = .init(value: span.isRelative ? span.start : span.end, isIncluded: false)
      }
      try checkOrder(bounds, range)
      return .time(bounds)
    default:
      var bounds = Bounds<OrderedVersion>()
      if let lower { bounds.lower = included(try version(lower)) }
      if let upper { bounds.upper = included(try version(upper)) }
      try checkOrder(bounds, range)
      return .version(bounds)
    }
  }

  private func checkOrder<Value>(
    _ bounds: Bounds<Value>, _ range: Range<Int>
  ) throws(QueryError) {
    guard let lower = bounds.lower, let upper = bounds.upper, upper.value < lower.value else {
      return
    }
    throw error("the range ends before it begins", range, hint: "Write the lower end first.")
  }

  private func number(_ word: Word) throws(QueryError) -> Double {
    guard let number = Double(word.text), number.isFinite,
      word.text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x2d })
    else {
      throw error("'\(word.text)' is not a number", word.range, hint: "Such as: 100, 0.5")
    }
    return number
  }

  private func version(_ word: Word) throws(QueryError) -> OrderedVersion {
    guard word.isQuoted || !word.text.contains("*") && !word.text.contains("?") else {
      throw error(
        "versions with wildcards have no order", word.range,
        hint: "Write the version out, or omit the comparison.")
    }
    guard !word.text.isEmpty else { throw error("no version", word.range) }
    return OrderedVersion(Self.spaced(word.text))
  }

  /// `1.4.0(512)` as lists show it: `1.4.0 (512)`.
  private static func spaced(_ version: String) -> String {
    guard version.hasSuffix(")"), let parenthesis = version.firstIndex(of: "("),
      parenthesis > version.startIndex,
      version[version.index(before: parenthesis)] != " "
    else { return version }
    return version[..<parenthesis] + " " + version[parenthesis...]
  }

  private func time(_ word: Word) throws(QueryError) -> TimeSpan {
    guard let span = TimeSpan(word.text, now: now) else {
      throw error(
        "'\(word.text)' is not a time", word.range,
        hint: "Such as: 2026-05-01, 2026-05-01T12:00:00Z, today, <7d"
          + " (s, m for minutes, h, d, w)")
    }
    return span
  }

  // MARK: Words

  /// Reads up to a blank or `|`, or text in quotes.
  private mutating func word(
    for field: QueryField, endsAtRange: Bool = false
  ) throws(QueryError) -> Word {
    let start = position
    if peek == "\"" {
      let text = try quoted()
      guard isAtEnd || isBlank || peek == "|" || endsAtRange && isRange else {
        throw error(
          "text runs on after the quote", position..<(position + 1),
          hint: "A quote inside quotes is written \\\".")
      }
      return Word(text: text, isQuoted: true, range: start..<position)
    }
    if field == .words, isMethod, let end = scalars[position...].firstIndex(of: "]") {
      position = end + 1
    }
    while !isAtEnd, !isBlank, peek != "|", !(endsAtRange && isRange) { position += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<position]))
    return Word(text: text, isQuoted: false, range: start..<position)
  }
}
