internal import Bytes
internal import Identifiers
internal import XML

/// A page of a list.
///
/// Source: Amazon S3 API Reference, ListObjectsV2.
struct ListingPage {
  private(set) var entries: [ObjectEntry] = []
  /// The token for the next page; `nil` at the end.
  private(set) var token: String?

  /// Bytes of a token; those of Amazon have some hundred.
  private static let longestToken = 8 << 10

  /// - Throws: The problem, in words.
  init(_ document: [UInt8], of prefix: ObjectAddress) throws(ListingFault) {
    let root: XMLElement
    do throws(ParseError) {
      root = try ServiceDocuments.root(document)
    } catch {
      throw ListingFault("the list is not one: \(error)")
    }
    guard root.name == "ListBucketResult" else {
      throw ListingFault("the answer is not a list but \(root.name.prefix(40))")
    }
    let isEncoded = root.first("EncodingType")?.text == "url"
    for child in root.children where child.name == "Contents" {
      entries.append(try Self.entry(child, isEncoded: isEncoded, prefix))
    }
    switch root.first("IsTruncated")?.text {
    case "true":
      guard let next = root.first("NextContinuationToken")?.text,
        (1...Self.longestToken).contains(next.utf8.count)
      else { throw ListingFault("the list goes on, but does not say where") }
      token = next
    case "false": break
    default: throw ListingFault("the list does not say whether it goes on")
    }
  }

  private static func entry(
    _ element: XMLElement, isEncoded: Bool, _ prefix: ObjectAddress
  ) throws(ListingFault) -> ObjectEntry {
    guard let text = element.first("Key")?.text,
      let key = isEncoded ? PercentEncoding.decoded(text) : text
    else { throw ListingFault("a key in the list is missing or not UTF-8") }
    // Whoever deletes what was listed must not delete anything else.
    guard key.utf8.starts(with: prefix.key.utf8), !key.isEmpty else {
      throw ListingFault("the list has a key without the prefix that was asked for")
    }
    guard let size = element.first("Size").flatMap({ ContentRange.number($0.text) }) else {
      throw ListingFault("an object in the list has no size")
    }
    do throws(ObjectAddressError) {
      return ObjectEntry(
        address: try ObjectAddress(bucket: prefix.bucket, key: key), size: size,
        entityTag: element.first("ETag")?.text,
        modified: element.first("LastModified").flatMap { Timestamp($0.text) })
    } catch {
      throw ListingFault("in the list, \(error.reason)")
    }
  }
}

/// A list that cannot be believed.
struct ListingFault: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
