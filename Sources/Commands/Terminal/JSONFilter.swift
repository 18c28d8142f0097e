internal import Bytes
internal import JQ
internal import JSON
internal import Spelling

/// The part of its JSON that a command prints: some members of each element, or the results of jq.
package struct JSONFilter: Sendable, Hashable {
  /// The members to keep, in their order; empty for all.
  package var fields: [String]
  /// A program of jq that gets the document, with the chosen members only.
  package var program: String?

  package init(fields: [String] = [], program: String? = nil) {
    self.fields = fields
    self.program = program
  }

  /// The filtered form of a document.
  ///
  /// - Throws: ``JSONFilterError``.
  func document(_ bytes: [UInt8]) throws(JSONFilterError) -> [UInt8] {
    let chosen = fields.isEmpty ? bytes : try self.chosen(of: bytes, isPretty: true)
    guard let program else { return chosen }
    return try Self.results(of: try Self.compiled(program), for: chosen)
  }

  /// The filtered form of documents that stand on a line each.
  ///
  /// - Throws: ``JSONFilterError``.
  func lines(_ bytes: [UInt8]) throws(JSONFilterError) -> [UInt8] {
    let program = try compiledProgram()
    var filtered: [UInt8] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let chosen = fields.isEmpty ? Array(line) : try chosen(of: Array(line), isPretty: false)
      if let program {
        filtered += try Self.results(of: program, for: chosen)
      } else {
        filtered += chosen
        if fields.isEmpty { filtered.append(UInt8(ascii: "\n")) }
      }
    }
    return filtered
  }

  // MARK: Members

  private func chosen(of bytes: [UInt8], isPretty: Bool) throws(JSONFilterError) -> [UInt8] {
    guard let parse = try? JSONDocument.parse(ByteView(bytes)), parse.cut == nil else {
      throw JSONFilterError("the JSON is too large to choose members of it: use --jq")
    }
    try check(parse.value)
    var writer = JSONWriter(pretty: isPretty)
    writer.value(chosen(of: parse.value))
    writer.newLine()
    return writer.takeBytes()
  }

  private func chosen(of value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(chosen))
    case .object(let members):
      .object(fields.compactMap { field in members.first { $0.key == field } })
    default: value
    }
  }

  /// - Throws: ``JSONFilterError`` for a member that no element has.
  private func check(_ value: JSONValue) throws(JSONFilterError) {
    let elements = value.array ?? [value]
    var known: [String] = []
    var names: Set<String> = []
    for member in elements.flatMap({ $0.object ?? [] }) where names.insert(member.key).inserted {
      known.append(member.key)
    }
    guard !known.isEmpty, let unknown = fields.first(where: { !names.contains($0) }) else { return }
    let near = Suggestion.nearest(to: unknown, among: known)
    throw JSONFilterError(
      "--json: there is no field '\(unknown)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
        + "\nFields: " + known.joined(separator: ", "))
  }

  // MARK: jq

  func compiledProgram() throws(JSONFilterError) -> JQProgram? {
    try program.map { text throws(JSONFilterError) in try Self.compiled(text) }
  }

  private static func compiled(_ text: String) throws(JSONFilterError) -> JQProgram {
    do throws(JQError) {
      return try JQProgram(text)
    } catch {
      throw JSONFilterError("--jq: \(error)")
    }
  }

  static func results(
    of program: JQProgram, for bytes: [UInt8]
  ) throws(JSONFilterError) -> [UInt8] {
    do throws(JQError) {
      return try program.lines(for: bytes)
    } catch {
      throw JSONFilterError("--jq: \(error)")
    }
  }
}

/// Why a filter cannot be applied to JSON, in words for the user.
package struct JSONFilterError: Error, Hashable {
  package let message: String

  init(_ message: String) { self.message = message }
}
