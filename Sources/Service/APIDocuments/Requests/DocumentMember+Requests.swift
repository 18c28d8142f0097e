internal import CrashStore
internal import Documents
internal import HTTP
internal import JSON

extension DocumentMember {
  /// A text that must be there, and must not be empty.
  ///
  /// - Parameter refusal: The error for a text that is missing or empty.
  static func text(
    _ name: String, _ path: any WritableKeyPath<Root, String> & Sendable,
    _ meaning: String? = nil, orThrow refusal: HTTPError
  ) -> DocumentMember {
    .reading(
      name, path, .text(atLeast: 1), meaning, orThrow: refusal, write: { $0 },
      read: { $0.isEmpty ? nil : $0 })
  }

  /// A text that stands for a value of another type.
  ///
  /// - Parameters:
  ///   - schema: The schema of the text.
  ///   - refusal: The error for a text that is missing, or that is no such value.
  static func reading<Value>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ schema: APISchema,
    _ meaning: String? = nil, orThrow refusal: HTTPError,
    write: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) -> DocumentMember {
    DocumentMember(
      name, path, .reading(schema, orThrow: refusal, write: write, read: read), meaning,
      missing: refusal)
  }
}

extension DocumentValue {
  /// Texts that stand for values of another type.
  ///
  /// - Parameters:
  ///   - schema: The schema of the text.
  ///   - refusal: The error for a text that is no such value.
  static func reading(
    _ schema: APISchema, orThrow refusal: HTTPError,
    write: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) -> DocumentValue {
    DocumentValue(
      schema, write: { value, writer in writer.string(write(value)) },
      read: { value in
        guard let text = value.string else { throw DocumentError.wrong("a text") }
        guard let value = read(text) else { throw refusal }
        return value
      })
  }
}

extension DocumentValue where Value == String {
  /// The name of an app, of which the service checks the rest.
  static var nonEmptyAppName: DocumentValue {
    .reading(
      .text(atLeast: 1), orThrow: .invalidDocument(StoreError.invalidAppName("").description),
      write: { $0 }, read: { $0.isEmpty ? nil : $0 })
  }

  /// The name of an app.
  static func appName(atLeast least: Int? = nil) -> DocumentValue {
    DocumentValue(text: .text(atLeast: least), "a text", write: { $0 }, read: { $0 }).map(
      write: { $0 }, read: { try AppName.checked($0, isMember: true) })
  }
}
