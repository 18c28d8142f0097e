internal import CrashService
package import Documents

extension DecodedResponse {
  /// The value as a document of a type.
  package func read<Value: Documented>(_ type: Value.Type = Value.self) throws -> Value {
    do {
      return try Value.declaration.read(value)
    } catch let error as DocumentError {
      throw Self.failure(error)
    }
  }

  /// A server of another version, or not a server of Mayday at all.
  private static func failure(_ error: DocumentError) -> ServiceError {
    ServiceError("the server's answer cannot be read: \(error); is it of another version?")
  }
}

extension Documented {
  /// Reads a document of a server's answer.
  package init(_ answer: DecodedResponse) throws { self = try answer.read() }
}
