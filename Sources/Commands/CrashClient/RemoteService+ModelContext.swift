internal import APIDocuments
package import Bytes
internal import CrashService

extension RemoteService {
  /// Sends a message of the Model Context Protocol.
  ///
  /// - Returns: The response; `nil` for a message that gets none.
  /// - Throws: ``ServiceError`` if the server refuses it, or cannot be reached.
  package func answer(toMessage message: ByteView) throws -> ByteView? {
    do {
      let answer = try bytes(.sendMessage, body: message)
      return answer.isEmpty ? nil : answer
    } catch let error as ServiceError where error.kind == .notFound {
      throw ServiceError("the server does not speak the Model Context Protocol", .notFound)
    }
  }
}
