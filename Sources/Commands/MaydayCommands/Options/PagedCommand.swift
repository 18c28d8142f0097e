/// A command whose output a person reads from the top, page by page.
protocol PagedCommand {
  /// Whether this call prints text for a person.
  var isPaged: Bool { get }
}
