internal import Bytes

/// A rule that recognises lines of one kind in a log of any length.
///
///     HeadlineRule(.crash, "*** Program crashed: ")
///     HeadlineRule(.signal, ": Backtracing from ", after: .digit) { text, mark, _ in ... }
struct HeadlineRule: Sendable {
  /// The meaning of such a line.
  enum Role: Hashable, Sendable {
    /// A report begins.
    case begins
    /// A report begins, of a panic or an exception that a runtime printed. It is part of the report of a
    /// sanitizer or fuzzer that caught the crash itself, if one follows; see ``LoggedReport/start``.
    case lastWords
    /// It may belong to the next report: a message that is printed before the report itself.
    case precedes
    /// It appears shortly before a headline of that kind; if none follows, it is all that is left of the
    /// report and begins it.
    case announces(Headline.Kind)
    /// It belongs to the report before it, if that is of the same reader and not more than
    /// ``FormatLimits/followUpBytes`` away; otherwise it begins one.
    case continues
  }

  /// A condition on the text around a mark, without which no prefix of the lines can hide a headline there.
  enum Evidence: Sendable {
    case none
    /// The line of the mark decides, whatever is before the headline.
    case line
    /// One of the next lines has the text.
    case following(StaticString)
    /// The mark is the colon after the type of an exception, see ``ExceptionLine``.
    case exception
  }

  /// Locates the headline of a mark at `mark`; `nil` if the line is not such a headline.
  typealias Locate =
    @Sendable (_ text: RawSpan, _ mark: Int, _ lines: inout LineStarts) -> Headline.Location?

  let kind: Headline.Kind
  let role: Role
  /// Bytes that every such line has; preferably with a colon after a byte that is rare before colons.
  let mark: StaticString
  let neighbour: MarkSearch.Neighbour
  let locate: Locate
  let evidence: Evidence

  /// - Parameter locate: Further conditions. Without it, the headline begins with the mark and its content
  ///   after the mark.
  init(
    _ kind: Headline.Kind, _ mark: StaticString, role: Role = .begins,
    after neighbour: MarkSearch.Neighbour = .anything, evidence: Evidence = .none,
    locate: Locate? = nil
  ) {
    self.evidence = evidence
    self.kind = kind
    self.role = role
    self.mark = mark
    self.neighbour = neighbour
    let count = mark.utf8CodeUnitCount
    precondition(count > 0, "a headline needs a mark")
    self.locate =
      locate ?? { _, mark, _ in Headline.Location(start: mark, content: mark + count) }
  }
}
