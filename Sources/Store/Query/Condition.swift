/// One condition of a query.
public struct Condition: Sendable, Hashable {
  /// One of the alternative values.
  public struct Alternative: Sendable, Hashable {
    public let test: QueryTest
    /// The values that it is compared with.
    public let sources: [ValueSource]
    /// The alternative as written in a query.
    public let text: String

    func matches(_ values: ReportValues, tag: String?) -> Bool {
      sources.contains { test.matches(values, $0, tag: tag) }
    }
  }

  public let field: QueryField
  public let isNegated: Bool
  public let alternatives: [Alternative]

  /// Whether the condition is about the group or the report.
  public var level: QueryField.Level {
    alternatives.contains { $0.sources.contains { $0.isOfGroup } } ? .group : .report
  }

  /// The condition as written in a query.
  public var text: String {
    let values = alternatives.map(\.text).joined(separator: "|")
    return (isNegated ? "-" : "") + prefix(of: values) + values
  }

  private func prefix(of values: String) -> String {
    guard field == .words else {
      guard let prefix = QueryField.openPrefixes.first(where: field.name.hasPrefix),
        case let name = String(field.name.dropFirst(prefix.count)), !name.isPlainName
      else { return field.name + ":" }
      return prefix + name.quoted + ":"
    }
    return QueryParser.isReadAsText(values, afterMinus: isNegated) ? "" : "text:"
  }

  public func matches(_ values: ReportValues) -> Bool {
    alternatives.contains { $0.matches(values, tag: field.tag) } != isNegated
  }
}

extension ValueSource {
  /// Whether it is a property of the group.
  public var isOfGroup: Bool {
    switch self {
    case .state, .assignee, .reports, .installs, .versions, .firstSeen, .lastSeen: true
    default: false
    }
  }
}

extension QueryTest {
  func matches(_ values: ReportValues, _ source: ValueSource, tag: String?) -> Bool {
    switch source.kind {
    case .text:
      let texts = values.texts(source, tag: tag)
      return self == .absent ? texts.isEmpty : texts.contains { matches($0) }
    case .number:
      guard let number = values.number(source) else { return self == .absent }
      return matches(number)
    case .time:
      guard let time = values.time(source) else { return self == .absent }
      return matches(time)
    }
  }
}

extension String {
  /// Whether it can precede a colon without quotes.
  fileprivate var isPlainName: Bool {
    unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "." || $0 == "_" || $0 == "-"
    }
  }

  var quoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
