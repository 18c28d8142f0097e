internal import Rendering
internal import CrashService
package import CrashStore
package import HTTP
package import JSON
internal import Query

extension Response {
  /// A JSON document that `write` writes.
  package static func document(
    status: Status = .ok, _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> Response {
    var writer = JSONWriter(pretty: true)
    try write(&writer)
    writer.newLine()
    return .json(writer.takeBytes(), status: status)
  }

  /// An array.
  package static func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) rethrows -> Response {
    try .document { writer in
      writer.beginArray()
      for element in elements { try write(&writer, element) }
      writer.endArray()
    }
  }

  /// A part of a list: `{"items", "total", "next"}`.
  package static func page<Item>(
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

  /// The answer to what the store, a query or a decision refuses, in the words of the commands; other
  /// errors are the server's own.
  package static func refusing(_ body: () throws -> Response) throws -> Response {
    do {
      return try body()
    } catch let error as StoreError {
      if case .damagedBlob = error { throw error }
      return refusal(of: error)
    } catch let error
      where error is QueryError || error is ServiceError || error is UnknownID
      || error is ActionError
    {
      return refusal(of: error)
    }
  }

  private static func refusal(of error: any Error) -> Response {
    let (text, kind) = FailureText.describe(error)
    return switch kind {
    case .notFound: .problem(.notFound, text)
    case .notAllowed: .problem(.forbidden, text)
    case .wrongUsage: .problem(.badRequest, text)
    case .failed, .unreachable: .problem(.conflict, text)
    }
  }
}
