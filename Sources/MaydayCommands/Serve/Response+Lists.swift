import CrashStore
import HTTP
import JSON
import Query

extension Response {
  /// A JSON document that `write` writes.
  static func document(
    status: Status = .ok, _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> Response {
    var writer = JSONWriter(pretty: true)
    try write(&writer)
    writer.newLine()
    return .json(writer.takeBytes(), status: status)
  }

  /// An array.
  static func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) rethrows -> Response {
    try .document { writer in
      writer.beginArray()
      for element in elements { try write(&writer, element) }
      writer.endArray()
    }
  }

  /// A part of a list: `{"items", "total", "next"}`.
  static func page<Item>(
    _ page: Page<Item>, _ write: (inout JSONWriter, Item) throws -> Void
  ) rethrows -> Response {
    try .document { writer in
      writer.beginObject()
      writer.key("items")
      writer.beginArray()
      for item in page.items { try write(&writer, item) }
      writer.endArray()
      writer.member("total", page.total)
      writer.member("next", page.next)
      writer.endObject()
    }
  }

  /// The answer to what the store or a query refuses; other errors are the server's own.
  static func refusing(_ body: () throws -> Response) throws -> Response {
    do {
      return try body()
    } catch let error as QueryError {
      return .problem(.badRequest, "\(error)")
    } catch let error as StoreError {
      if case .notFound = error { return .problem(.notFound, "\(error)") }
      if case .ambiguous = error { return .problem(.conflict, "\(error)") }
      return .problem(.badRequest, "\(error)")
    } catch let error as ActionError {
      return .problem(.conflict, "\(error)")
    }
  }
}
