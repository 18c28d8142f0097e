internal import Query

/// A check on columns, for one alternative of a condition.
enum SearchCheck {
  /// The number is in a set.
  case codes(SearchField, CodeSet)
  /// The number is in a range.
  case range(SearchField, ClosedRange<Int>)
  /// The seconds of ``SearchField/uptime`` are in a range.
  case uptime(Bounds<Double>)
  /// The report is one of these database rows.
  case rows(CodeSet)
  /// The text itself is checked where its shape is in the set.
  case text(SearchField, CodeSet, QueryTest)

  var field: SearchField? {
    switch self {
    case .codes(let field, _), .range(let field, _), .text(let field, _, _): field
    case .uptime: .uptime
    case .rows: nil
    }
  }
}

/// A condition, compiled for scanning columns.
struct CompiledCondition {
  let isNegated: Bool
  let checks: [SearchCheck]

  /// - Parameter checks: Alternatives of which one has to hold; number lookups in one column are combined.
  init(isNegated: Bool, checks: [SearchCheck]) {
    self.isNegated = isNegated
    var sets: [SearchField: CodeSet] = [:]
    var others: [SearchCheck] = []
    for check in checks {
      if case .codes(let field, let codes) = check {
        sets[field, default: CodeSet()].formUnion(codes)
      } else {
        others.append(check)
      }
    }
    let fields = sets.keys.sorted { $0.rawValue < $1.rawValue }
    self.checks = fields.compactMap { field in sets[field].map { .codes(field, $0) } } + others
  }

  /// Whether texts have to be read.
  var readsTexts: Bool {
    checks.contains { if case .text = $0 { true } else { false } }
  }
}
