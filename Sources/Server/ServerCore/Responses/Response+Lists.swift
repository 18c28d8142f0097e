internal import Bytes
internal import Rendering
internal import CrashService
package import CrashStore
package import HTTP
package import JSON
internal import Query
internal import Updates

extension Response {
  /// Returns a JSON document written by `write`.
  package static func document(
    status: Status = .ok, _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> Response {
    var writer = JSONWriter()
    try write(&writer)
    writer.newLine()
    return .json(writer.takeBytes(), status: status)
  }

  /// Returns an array.
  package static func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) rethrows -> Response {
    try .document { writer in
      writer.beginArray()
      for element in elements { try write(&writer, element) }
      writer.endArray()
    }
  }

  /// Returns a page of a list: `{"items", "total", "next", "previous"}`.
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
      writer.member("previous", page.previous)
      writer.endObject()
    }
  }

  /// Returns the response to errors of the store, a query or a decision, in the words of the commands; other
  /// errors are the server's own.
  ///
  /// - Parameter member: The member of the body that contains a query, unless it is a parameter.
  package static func refusing(
    member: String? = nil, _ body: () throws -> Response
  ) throws -> Response {
    do {
      return try body()
    } catch let error as StoreError {
      switch error {
      // The request is not at fault.
      case .damagedBlob, .damaged: throw error
      default: return refusal(of: error, ProblemCode(of: error))
      }
    } catch let error as QueryError {
      let text = FailureText.describe(error).message
      return Problem(
        .badRequest, text, code: .invalidQuery, parameter: member == nil ? "query" : nil,
        member: member, position: error.range.lowerBound
      ).response
    } catch let error as UnknownID {
      guard case .ambiguous = error.cause else { return refusal(of: error, nil) }
      return refusal(of: error, .ambiguousID)
    } catch let error as RemoteConfigurationError {
      return .problem(
        .badRequest, FailureText.describe(error).message, code: .invalidDocument, member: member)
    } catch let error
      where error is ServiceError || error is ActionError || error is DistributionError
      || error is RemoteConfigurationAbsence
    {
      return refusal(of: error, nil)
    }
  }

  private static func refusal(of error: any Error, _ code: ProblemCode?) -> Response {
    let (text, kind) = FailureText.describe(error)
    let code = (error as? ServiceError)?.isAboutRole == true ? .forbidden : code
    let parameter = code == .invalidCursor ? "after" : nil
    return switch kind {
    case .notFound: .problem(.notFound, text, code: code)
    case .notAllowed: .problem(.forbidden, text, code: code ?? .otherApp)
    case .wrongUsage: .problem(.badRequest, text, code: code, parameter: parameter)
    case .failed, .unreachable: .problem(.conflict, text, code: code)
    }
  }
}

extension ProblemCode {
  /// Creates a code; `nil` if the status is enough.
  fileprivate init?(of error: StoreError) {
    switch error {
    case .wrongCursor: self = .invalidCursor
    case .nameTaken, .prefixTaken, .alike: self = .nameTaken
    case .invalidAppName, .invalidPrefix: self = .invalidDocument
    case .ambiguous: self = .ambiguousID
    default: return nil
    }
  }
}
