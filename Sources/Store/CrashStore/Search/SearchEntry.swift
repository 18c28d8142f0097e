internal import Bytes
internal import Crypto
internal import Identifiers
internal import Query

/// The index entry of one report, ready to be written.
struct SearchEntry: Sendable {
  /// The terms of columns for which the report has a value.
  let terms: [SearchTerm]
  let stack: SearchSet?
  let tags: SearchSet?
  let time: Int
  let received: Int
  let install: Int
  let uptime: Int
  /// The hash of the reporter's incident id; `nil` where there is none.
  let incident: Int?
  /// The message with its numbers, if it has any.
  let message: String?

  /// - Parameter install: The hash of the installation's id, as in the report's row.
  init(_ values: ReportValues, install: [UInt8]?) {
    var terms: [SearchTerm] = []
    for field in SearchField.terms {
      guard let source = SearchField.sources[field] else { continue }
      let text = values.text(source)
      guard !text.isEmpty else { continue }
      terms.append(SearchTerm(field: field, text: field.isShape ? TextShape.shape(of: text) : text))
    }
    self.terms = terms
    let stack = SearchSet(
      values.functions.map { SearchTerm(field: .function, text: $0) }
        + values.files.map { SearchTerm(field: .file, text: $0) }
        + values.images.map { SearchTerm(field: .image, text: $0) })
    self.stack = stack.terms.isEmpty ? nil : stack
    let tags = SearchSet(
      values.tags.lazy.filter { !$0.value.isEmpty }.map { SearchTerm.tag($0.key, $0.value) })
    self.tags = tags.terms.isEmpty ? nil : tags
    time = values.time.microseconds
    received = values.received.microseconds
    self.install = Self.install(install)
    uptime = values.uptime.map { Int(($0 * 1000).rounded()) + 1 } ?? 0
    incident = values.incident.isEmpty ? nil : Self.incident(values.incident)
    message =
      terms.contains { $0.field == .message && $0.text.unicodeScalars.contains(TextShape.slot) }
      ? values.message : nil
  }

  /// The number of an incident id.
  ///
  /// - Parameter name: The id, in the spelling of `ReportValues/canonical(incident:)`.
  static func incident(_ name: String) -> Int {
    SHA256.digest(of: ByteView(name.utf8)).prefix(8).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The number of an installation; never 0.
  static func install(_ hash: [UInt8]?) -> Int {
    guard let hash else { return 0 }
    let number = hash.prefix(8).reduce(0) { $0 << 8 | Int($1) }
    return number == 0 ? 1 : number
  }
}
