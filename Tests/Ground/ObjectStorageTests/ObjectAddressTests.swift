import ObjectStorage
import Testing

@Suite("Addresses of objects") struct ObjectAddressTests {
  @Test(
    "Everything after the bucket's slash is the key",
    arguments: [
      ("s3://bucket/a/b.dmp", "bucket", "a/b.dmp"), ("s3://bucket", "bucket", ""),
      ("S3://b.c-d/", "b.c-d", ""), ("s3://bucket//a", "bucket", "/a"),
      ("s3://bucket/../a%2Fb?c#d", "bucket", "../a%2Fb?c#d"),
      ("s3://Old_Name/ \n", "Old_Name", " \n"),
      ("s3://bucket/\u{301}a", "bucket", "\u{301}a"),
    ])
  func parsing(text: String, bucket: String, key: String) throws {
    let address = try ObjectAddress(parsing: text)
    #expect(address.bucket == bucket)
    #expect(Array(address.key.utf8) == Array(key.utf8))
    #expect(address.description == "s3://\(bucket)/\(key)")
  }

  @Test(
    "Anything else says what is wrong",
    arguments: [
      ("/tmp/a", "does not begin with s3://"), ("s3:///key", "bucket name is missing"),
      ("s3://ab/key", "has 2 bytes"), ("s3://user@host/key", "has characters other than"),
      ("s3://bücket/key", "has characters other than"), ("s3://-ab/key", "does not begin and end"),
      ("s3://a..b/key", "two dots"), ("s3://bucket:9000/key", "has characters other than"),
      ("s3://bucket/" + String(repeating: "é", count: 513), "1026 bytes, more than 1024"),
    ])
  func errors(text: String, reason: String) {
    #expect { try ObjectAddress(parsing: text) } throws: {
      let words = "\($0)"
      return words.contains(reason) && words.utf8.count < 500
    }
  }

  @Test("Keys are equal by their bytes, not by how they look")
  func equality() throws {
    let composed = try ObjectAddress(bucket: "bucket", key: "\u{e9}")
    let decomposed = try ObjectAddress(bucket: "bucket", key: "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(decomposed < composed)
    #expect(try decomposed.appending("x").key.utf8.count == 4)
  }
}
