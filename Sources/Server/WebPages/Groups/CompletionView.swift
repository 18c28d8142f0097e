internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import JSON
internal import Query
internal import ServerCore
internal import ServerStore

/// Suggestions for the word being typed in a query, as JSON for the script.
struct CompletionView {
  let call: PageCall

  private static let most = 20
  /// The maximum number of bytes of a word.
  private static let longest = 200

  init(_ call: PageCall) { self.call = call }

  private struct Item {
    /// The whole word.
    var text: String
    var meaning = ""
  }

  func response() throws -> Response {
    let word = call.request.query["word"] ?? ""
    let items = word.utf8.count <= Self.longest ? try items(for: word) : []
    var response = Response.document { writer in
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for item in items.prefix(Self.most) {
        writer.beginObject()
        writer.member("text", item.text)
        writer.member("meaning", item.meaning)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
  }

  private func items(for word: String) throws -> [Item] {
    let dash = word.hasPrefix("-") ? "-" : ""
    let rest = word.dropFirst(dash.count)
    guard !rest.hasPrefix("\"") else { return [] }
    guard let colon = rest.firstIndex(of: ":") else { return try fields(dash, String(rest)) }
    guard let field = QueryField(named: String(rest[..<colon])) else { return [] }
    let values = rest[rest.index(after: colon)...]
    // Earlier alternatives stay unchanged.
    let start = values.lastIndex(of: "|").map { values.index(after: $0) } ?? values.startIndex
    return try self.values(
      of: field, before: dash + rest[...colon] + values[..<start], String(values[start...]))
  }

  private func fields(_ dash: String, _ start: String) throws -> [Item] {
    let start = start.lowercased()
    let named = QueryField.all.filter {
      !$0.name.hasSuffix(".NAME") && $0.name != "text" && $0.name.hasPrefix(start)
    }
    var items = named.map { Item(text: dash + $0.name + ":", meaning: $0.meaning) }
    guard !start.isEmpty,
      ["tag.", "property."].contains(where: { $0.hasPrefix(start) || start.hasPrefix($0) })
    else { return items }
    let tags = try call.context.store.search.tagNames(app: call.visitor.account.app, limit: 500)
      .filter { !call.withholding.hides(fieldNamed: $0, of: call.visitor.account.app) }
    items += tags.filter { $0.lowercased().hasPrefix(start) && QueryWords.link($0, "") != nil }
      .map { Item(text: dash + $0 + ":", meaning: "tag") }
    return items
  }

  private func values(
    of field: QueryField, before: String, _ typed: String
  ) throws -> [Item] {
    let marks = typed.prefix { "<>=".contains($0) }
    let text = typed.dropFirst(marks.count).filter { $0 != "\"" }
    let items: [(text: String, meaning: String)]
    switch field.kind {
    case .choice:
      items = field.choices.filter { $0.hasPrefix(text.lowercased()) }.map { ($0, "") }
    case .time:
      items = Self.times.filter { $0.text.hasPrefix(typed) }
      return items.map { Item(text: before + $0.text, meaning: $0.meaning) }
    case .number:
      items = Self.comparisons.filter { typed.isEmpty || $0.text.hasPrefix(typed) }
      return items.map { Item(text: before + $0.text, meaning: $0.meaning) }
    case .name, .text, .version, .exact:
      guard !call.withholding.hides(field, of: call.visitor.account.app) else { return [] }
      let found = try call.context.store.search.values(
        of: field, holding: text, app: call.visitor.account.app, limit: Self.most)
      // A value that turns the direction of text would turn the suggestions.
      items = found.filter { $0.printable == $0 }.map { (QueryWords.quoted($0), "") }
    }
    let operators = field.kind == .version && typed.isEmpty ? Self.comparisons : []
    return items.map { Item(text: before + marks + $0.text, meaning: $0.meaning) }
      + operators.map { Item(text: before + $0.text, meaning: $0.meaning) }
  }

  private static let comparisons = [
    (text: ">=", meaning: "at least"), (text: "<=", meaning: "at most"),
    (text: ">", meaning: "more than"), (text: "<", meaning: "less than"),
  ]

  private static let times = [
    (text: "<24h", meaning: "in the last 24 hours"), (text: "<7d", meaning: "in the last 7 days"),
    (text: "<30d", meaning: "in the last 30 days"),
    (text: ">30d", meaning: "more than 30 days ago"),
    (text: "today", meaning: "since midnight UTC"), (text: "yesterday", meaning: ""),
  ]
}
