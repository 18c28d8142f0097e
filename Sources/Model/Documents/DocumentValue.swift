package import Identifiers
package import JSON

/// The form of a type's values in a document: how they are written and read, and their schema.
package struct DocumentValue<Value>: Sendable {
  package let schema: APISchema
  /// An example of a value, where the type alone determines it.
  package let example: JSONValue?
  package let write: @Sendable (Value, inout JSONWriter) -> Void
  /// - Throws: ``DocumentError``.
  package let read: @Sendable (JSONValue) throws -> Value

  package init(
    _ schema: APISchema, example: JSONValue? = nil,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
    read: @escaping @Sendable (JSONValue) throws -> Value
  ) {
    self.schema = schema
    self.example = example
    self.write = write
    self.read = read
  }

  /// Creates values written as text.
  ///
  /// - Parameter wanted: Names the type in an error: `a date-time`.
  package init(
    text schema: APISchema, _ wanted: String, example: String? = nil,
    write: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(
      schema, example: example.map { .string($0) },
      write: { value, writer in writer.string(write(value)) },
      read: { value in
        guard let text = value.string, let value = read(text) else {
          throw DocumentError.wrong(wanted)
        }
        return value
      })
  }

  /// Values written as one of `words`.
  package static func word(
    _ words: [String], write: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) -> DocumentValue {
    DocumentValue(
      .choice(words), write: { value, writer in writer.string(write(value)) },
      read: { value in
        guard let word = value.string, let value = read(word) else {
          throw DocumentError(.unknownWord(words))
        }
        return value
      })
  }

  /// Converts the values to another type.
  package func map<Other>(
    write: @escaping @Sendable (Other) -> Value,
    read: @escaping @Sendable (Value) throws -> Other
  ) -> DocumentValue<Other> {
    DocumentValue<Other>(
      schema, example: example, write: { [self] in self.write(write($0), &$1) },
      read: { [self] in try read(self.read($0)) })
  }
}

extension DocumentValue where Value == String {
  package static var text: DocumentValue { text() }

  package static func text(format: String? = nil, pattern: String? = nil) -> DocumentValue {
    DocumentValue(
      text: .text(format: format, pattern: pattern), "a text", write: { $0 }, read: { $0 })
  }

  /// Texts of `least` characters or more.
  package static func text(atLeast least: Int) -> DocumentValue {
    DocumentValue(
      .text(atLeast: least), write: text.write,
      read: { value in
        let text = try text.read(value)
        guard text.unicodeScalars.count >= least else { throw DocumentError(.short(least)) }
        return text
      })
  }

  /// One of `words`, where no type lists them. Other words are accepted: a newer server may have
  /// more.
  package static func words(_ words: [String]) -> DocumentValue {
    DocumentValue(text: .choice(words), "a text", write: { $0 }, read: { $0 })
  }

  /// A SHA-256 in hexadecimal.
  package static var digest: DocumentValue {
    DocumentValue(text: .digest, "a SHA-256", write: { $0 }, read: { $0 })
  }
}

extension DocumentValue where Value == Int {
  /// A number from 0 up.
  package static var count: DocumentValue {
    DocumentValue(
      .count, write: { $1.integer($0) },
      read: { value in
        guard let number = value.integer else { throw DocumentError.wrong("a whole number") }
        return number
      })
  }

  package static var integer: DocumentValue {
    DocumentValue(.integer(), write: count.write, read: count.read)
  }

  /// A number of a request.
  ///
  /// - Parameter most: The maximum in the schema; the reader accepts larger numbers, too.
  package static func integer(from least: Int, through most: Int = .max) -> DocumentValue {
    DocumentValue(
      .integer(least...most), write: count.write,
      read: { value in
        guard let number = value.integer, number >= least else {
          throw DocumentError.wrong("a whole number from \(least) up")
        }
        return number
      })
  }
}

extension DocumentValue where Value == Double {
  package static var number: DocumentValue {
    DocumentValue(
      .number, write: { $1.double($0) },
      read: { value in
        guard let number = value.double else { throw DocumentError.wrong("a number") }
        return number
      })
  }

  /// A number from 0 to 1.
  package static var share: DocumentValue {
    DocumentValue(.share, write: number.write, read: number.read)
  }
}

extension DocumentValue where Value == Bool {
  package static var flag: DocumentValue {
    DocumentValue(
      .flag, write: { $1.bool($0) },
      read: { value in
        guard let flag = value.bool else { throw DocumentError.wrong("true or false") }
        return flag
      })
  }
}

extension DocumentValue where Value == Timestamp {
  package static var time: DocumentValue<Timestamp> {
    DocumentValue(
      text: .time, "a date-time", example: "2026-03-01T12:30:00Z", write: { $0.description },
      read: { Timestamp($0) })
  }
}

extension DocumentValue where Value == Address {
  package static var address: DocumentValue<Address> {
    DocumentValue(
      .address, example: .string("0x10"), write: { $1.string($0.description) },
      read: { value in
        guard let address = value.address else { throw DocumentError.wrong("an address") }
        return Address(address)
      })
  }
}

extension DocumentValue where Value == DebugID {
  package static var debugID: DocumentValue<DebugID> {
    DocumentValue(
      text: .text(), "a debug id", example: "5d41402a-bc4b-2a76-b971-9d911017c592",
      write: { $0.description }, read: { DebugID($0) })
  }
}

extension DocumentValue where Value == CodeID {
  package static var codeID: DocumentValue<CodeID> {
    DocumentValue(
      text: .text(), "a code id", example: "2a76b9719d911017c592", write: { $0.description },
      read: { CodeID($0) })
  }
}

extension DocumentValue where Value == Architecture {
  package static var architecture: DocumentValue<Architecture> {
    DocumentValue(
      text: .text(), "an architecture", example: "arm64", write: { $0.description },
      read: { Architecture($0) })
  }
}

extension DocumentValue
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// A case of an enumeration, by its raw value.
  package static var word: DocumentValue {
    word(Value.allCases.map(\.rawValue), write: { $0.rawValue }, read: { Value(rawValue: $0) })
  }
}

extension DocumentValue {
  package static func list<Element>(_ element: DocumentValue<Element>) -> DocumentValue
  where Value == [Element] {
    DocumentValue(
      .list(element.schema),
      write: { elements, writer in
        writer.beginArray()
        for value in elements { element.write(value, &writer) }
        writer.endArray()
      },
      read: { value in
        guard let elements = value.array else { throw DocumentError.wrong("a list") }
        return try elements.enumerated().map { index, value in
          do {
            return try element.read(value)
          } catch let error as DocumentError {
            throw error.within("[\(index)]")
          }
        }
      })
  }

  /// A list that is made while it is written; it is not read.
  package static func sequence<Element>(_ element: DocumentValue<Element>) -> DocumentValue
  where Value: Sequence<Element> & Sendable, Value.Iterator: SendableMetatype {
    DocumentValue(
      .list(element.schema),
      write: { elements, writer in
        writer.beginArray()
        for value in elements { element.write(value, &writer) }
        writer.endArray()
      },
      read: { _ in throw DocumentError.wrong("nothing: this list is only written") })
  }

  /// A list of texts in a request.
  ///
  /// - Parameters:
  ///   - element: The schema of each; the reader accepts any texts.
  ///   - least: The length in the schema; the reader accepts shorter and longer lists, too.
  package static func texts(
    _ element: APISchema = .text(atLeast: 1), atLeast least: Int? = nil, atMost most: Int? = nil
  ) -> DocumentValue where Value == [String] {
    DocumentValue(
      .list(element, atLeast: least, atMost: most),
      write: { texts, writer in
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
      },
      read: { value in
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else {
          throw DocumentError.wrong("a list of texts")
        }
        return texts
      })
  }

  /// An object whose keys are data, written in their order.
  package static func map<Element>(_ element: DocumentValue<Element>) -> DocumentValue
  where Value == [String: Element] {
    DocumentValue(
      .map(element.schema),
      write: { elements, writer in
        writer.beginObject()
        for (key, value) in elements.sorted(by: { $0.key < $1.key }) {
          writer.key(key)
          element.write(value, &writer)
        }
        writer.endObject()
      },
      read: { value in
        guard let members = value.object else { throw DocumentError.wrong("an object") }
        var elements: [String: Element] = [:]
        for member in members {
          do {
            elements[member.key] = try element.read(member.value)
          } catch let error as DocumentError {
            throw error.within(member.key)
          }
        }
        return elements
      })
  }

  /// A document nested in another one, by the name of its schema.
  package static func document(_ type: DocumentType<Value>) -> DocumentValue {
    DocumentValue(
      .component(type.component), write: { type.write($0, to: &$1) }, read: { try type.read($0) })
  }

  /// A document nested in another one, without a schema of its own.
  package static func object(_ type: DocumentType<Value>) -> DocumentValue {
    DocumentValue(
      .object(type.schemaMembers), write: { type.write($0, to: &$1) }, read: { try type.read($0) })
  }
}

extension DocumentValue where Value: Documented {
  /// A document nested in another one, by the name of its schema.
  package static var document: DocumentValue { document(Value.declaration) }
}
