internal import Bytes

/// How lines of one kind are recognised in a log of any length.
///
///     HeadlineRule(.crash, "*** Program crashed: ")
///     HeadlineRule(.signal, ": Backtracing from ", after: .digit) { text, mark, _ in ... }
struct HeadlineRule: Sendable {
  /// The meaning of such a line.
  enum Role: Hashable, Sendable {
    /// A report begins.
    case begins
    /// It may belong to the next report: a message that is printed before the report itself.
    case precedes
    /// It stands shortly before a headline of that kind; where none follows, it is all that is left
    /// of the report and begins it.
    case announces(Headline.Kind)
  }

  /// The byte before a mark that begins with its only colon.
  enum Neighbour: Sendable {
    case anything, digit
    /// What may end the name of a type: letters, digits, underscores, closing brackets.
    case name
  }

  /// Decides about a mark at `mark`; `nil` when the line is not such a headline.
  typealias Locate =
    @Sendable (_ text: RawSpan, _ mark: Int, _ lines: inout LineStarts) -> Headline.Location?

  let kind: Headline.Kind
  let role: Role
  /// Bytes that every such line has. The search goes from colon to colon, so a mark best holds one
  /// after a byte that few other colons have before them. A mark without a colon costs a search of
  /// its own.
  let mark: StaticString
  /// The offset of the mark's last colon.
  let colon: Int?
  let neighbour: Neighbour
  let locate: Locate

  /// - Parameter locate: Further conditions. Without it, the headline begins with the mark and its
  ///   content with what follows the mark.
  init(
    _ kind: Headline.Kind, _ mark: StaticString, role: Role = .begins,
    after neighbour: Neighbour = .anything, locate: Locate? = nil
  ) {
    self.kind = kind
    self.role = role
    self.mark = mark
    self.neighbour = neighbour
    let count = mark.utf8CodeUnitCount
    precondition(count > 0, "a headline needs a mark")
    colon = Array(mark.description.utf8).lastIndex(of: UInt8(ascii: ":"))
    self.locate =
      locate ?? { _, mark, _ in Headline.Location(start: mark, content: mark + count) }
  }

  /// The bytes that stand before the colon at which the search stops.
  var bytesBeforeColon: [UInt8] {
    guard let colon else { return [] }
    if colon > 0 { return [Array(mark.description.utf8)[colon - 1]] }
    return switch neighbour {
    case .anything: Array(.min ... .max)
    case .digit: Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
    case .name:
      (UInt8.min...UInt8.max).filter {
        $0.isLetter || $0.isDigit || $0 >= 0x80 || "_)]>".utf8.contains($0)
      }
    }
  }
}
