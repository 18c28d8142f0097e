package import JSON
package import Query

extension JSONWriter {
  package mutating func write(_ field: QueryField) {
    beginObject()
    member("name", field.name)
    member("aliases", field.aliases)
    member("of", field.level.rawValue)
    member("kind", field.kind.rawValue)
    member("meaning", field.meaning)
    member("example", field.example)
    member("choices", field.choices)
    endObject()
  }
}
