internal import Identifiers
internal import Spelling

/// Parses the text of a query.
struct QueryParser {
  let text: String
  let now: Timestamp
  /// The name for `assignee:me`; `nil` if it is not known here.
  let me: String?
  let scalars: [Unicode.Scalar]
  /// Whether text that only looks like a condition is searched for.
  var takesLookalikes = false
  var position = 0

  init(_ text: String, now: Timestamp, me: String? = nil) {
    self.text = text
    self.now = now
    self.me = me
    // Just enough to report the rest as too long.
    scalars = Array(text.unicodeScalars.prefix(QueryLimits.length + 1))
  }

  mutating func conditions() throws(QueryError) -> [Condition] {
    guard text.utf8.count <= QueryLimits.length else {
      throw QueryError(
        "the query is longer than \(QueryLimits.length) bytes", in: String(text.prefix(40)),
        at: 0..<0)
    }
    var conditions: [Condition] = []
    skipBlanks()
    while !isAtEnd {
      let start = position
      conditions.append(try condition())
      guard conditions.count <= QueryLimits.conditions else {
        throw error("more than \(QueryLimits.conditions) conditions", start..<position)
      }
      skipBlanks()
    }
    return conditions
  }

  private mutating func condition() throws(QueryError) -> Condition {
    let start = position
    var isNegated = false
    if peek == "-", !isMethod {
      position += 1
      isNegated = true
      if isAtEnd || isBlank {
        throw error(
          "there is nothing after '-'", start..<position,
          hint: "Write the negated term right after it, or \"-\" to search for a minus.")
      }
    }
    try checkOperator()
    if !takesLookalikes { try checkLookalike() }
    let field = try fieldName()
    var alternatives: [Condition.Alternative] = []
    while true {
      let valueStart = position
      if peek == "|" || isAtEnd || isBlank {
        guard field != .words || !alternatives.isEmpty || peek == "|" else {
          throw error("nothing to search for", valueStart..<valueStart)
        }
        if alternatives.isEmpty, peek != "|" {
          throw error(
            "no value after '\(field.name):'", start..<position, hint: "Such as: \(field.example)")
        }
        throw error(
          "a value is missing next to '|'", max(start, valueStart - 1)..<(valueStart + 1),
          hint: "Write a|b, or \"|\" to search for it.")
      }
      alternatives.append(try alternative(of: field))
      guard alternatives.count <= QueryLimits.alternatives else {
        throw error("more than \(QueryLimits.alternatives) alternatives", start..<position)
      }
      guard peek == "|" else { break }
      position += 1
    }
    let isMixed = Set(alternatives.map { $0.sources[0].isOfGroup }).count > 1
    if isMixed {
      throw error(
        "some of these are of the group, some of the report", start..<position,
        hint: "Write a condition for each: is:open is:crash")
    }
    return Condition(field: field, isNegated: isNegated, alternatives: alternatives)
  }

  /// Whether a condition with this text and without a field searches for text.
  static func isReadAsText(_ text: String, afterMinus: Bool) -> Bool {
    var parser = QueryParser(text, now: Timestamp(seconds: 0))
    if parser.peek == "-", !parser.isMethod, !afterMinus { return false }
    guard parser.lookalike == nil else { return false }
    return (try? parser.fieldName()) == .words
  }

  /// Rejects the words by which other languages join conditions: they would be searched for as
  /// text, and match nothing.
  private func checkOperator() throws(QueryError) {
    let hints = [
      "OR": "Write a|b for either, as in signal:SIGSEGV|SIGBUS.",
      "AND": "Leave it out: all conditions must hold.",
      "NOT": "Write a minus sign before the condition, as in -is:handled.",
    ]
    let word = String(
      String.UnicodeScalarView(scalars[position...].prefix { !$0.properties.isWhitespace }))
    guard let hint = hints[word] else { return }
    throw error(
      "\(word) is not an operator", position..<(position + word.unicodeScalars.count),
      hint: hint + " To search for the word, put it in quotes.")
  }

  // MARK: Fields

  /// Skips `name:`; without a name, the following is text.
  private mutating func fieldName() throws(QueryError) -> QueryField {
    let start = position
    var end = position
    if let tag = try tagName() { return tag }
    while end < scalars.count, scalars[end].isOfName || end > start && scalars[end] == "-" {
      end += 1
    }
    guard end > start, end < scalars.count, scalars[end] == ":",
      end + 1 >= scalars.count || scalars[end + 1] != ":"
    else { return .words }
    let name = text(start..<end)
    if let field = QueryField(named: name) {
      position = end + 1
      return field
    }
    // A file and its line, or a part of a method's name: fields are not written like this.
    guard name == name.lowercased() else { return .words }
    let near = Suggestion.nearest(
      to: name.replacing("-", with: "."), among: QueryField.names)
    // Names of files and libraries have dashes, those of fields do not.
    guard !name.contains("-") || near != nil else { return .words }
    var hint = "To search for it as text, put it in quotes."
    if let near { hint = "Did you mean '\(near):'?" }
    throw error("no field '\(name)'", start..<end, hint: hint, listsFields: true)
  }

  /// Skips `tag.NAME:`, `tag."NAME":`, `property.NAME:` or `property."NAME":`.
  private mutating func tagName() throws(QueryError) -> QueryField? {
    let start = position
    let prefix = QueryField.openPrefixes.first { prefix in
      scalars[start...].starts(with: prefix.unicodeScalars, by: { $0.lowered == $1 })
    }
    guard let prefix else { return nil }
    position += prefix.unicodeScalars.count
    let name: String
    if peek == "\"" {
      name = try quoted()
    } else {
      let first = position
      while !isAtEnd, !isBlank, peek != ":", peek != "\"" { position += 1 }
      name = String(String.UnicodeScalarView(scalars[first..<position]))
    }
    guard peek == ":" else {
      position = start
      return nil
    }
    guard !name.isEmpty, let field = QueryField(named: prefix + name) else {
      throw error(
        "no name of a \(prefix.dropLast())", start..<position,
        hint: "Such as: \(prefix)Category:Music")
    }
    position += 1
    return field
  }

  // MARK: Characters

  var isAtEnd: Bool { position >= scalars.count }

  var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  var isBlank: Bool { peek.map(\.properties.isWhitespace) ?? false }

  private mutating func skipBlanks() {
    while isBlank { position += 1 }
  }

  /// Whether an Objective-C method begins here: `-[View draw:]`.
  var isMethod: Bool {
    guard let first = peek, first == "-" || first == "+", position + 2 < scalars.count else {
      return false
    }
    return scalars[position + 1] == "[" && scalars[position + 2].properties.isAlphabetic
  }

  /// Skips `"..."`.
  mutating func quoted() throws(QueryError) -> String {
    let start = position
    var content = String.UnicodeScalarView()
    position += 1
    while let scalar = peek {
      position += 1
      switch scalar {
      case "\"": return String(content)
      case "\\":
        if let next = peek, next == "\"" || next == "\\" {
          content.append(next)
          position += 1
        } else {
          content.append(scalar)
        }
      default: content.append(scalar)
      }
    }
    throw error("the quote is not closed", start..<(start + 1), hint: "Close it with \".")
  }

  func error(
    _ message: String, _ range: Range<Int>, hint: String? = nil, listsFields: Bool = false
  ) -> QueryError {
    QueryError(message, in: text, at: range, hint: hint, listsFields: listsFields)
  }
}

extension Unicode.Scalar {
  /// Whether it can be part of a field's name.
  var isOfName: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
      || self == "." || self == "_"
  }

  fileprivate var lowered: Unicode.Scalar {
    ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) | 0x20) : self
  }
}
