internal import CrashService
package import Documents

extension DecodedResponse {
  /// Returns the value as a document of a type.
  package func read<Value: Documented>(_ type: Value.Type = Value.self) throws -> Value {
    do {
      return try Value.declaration.read(value)
    } catch let error as DocumentError {
      throw Self.failure(error)
    }
  }

  /// Returns the error for a server of another version, or one that is not a Mayday server at all.
  private static func failure(_ error: DocumentError) -> ServiceError {
    ServiceError("the server's response cannot be read: \(error); does it run another version?")
  }
}

extension Documented {
  /// Reads a document from a server's response.
  package init(_ answer: DecodedResponse) throws { self = try answer.read() }
}
