internal import Bytes

extension ObjectStore {
  /// The objects whose keys begin with an address's, in the order of the server: a page at a time is in
  /// memory.
  public func list(_ prefix: ObjectAddress) -> ObjectListing {
    ObjectListing(store: self, prefix: prefix)
  }

  /// - Parameter token: That of the page before.
  func page(
    of prefix: ObjectAddress, from token: String?
  ) throws(ObjectStorageError) -> ListingPage {
    var attempts = attempts()
    var call = Call("GET", prefix)
    call.isForBucket = true
    call.query = [("list-type", "2"), ("encoding-type", "url")]
    if !prefix.key.isEmpty { call.query.append(("prefix", prefix.key)) }
    if let token { call.query.append(("continuation-token", token)) }
    while true {
      let answer = try send(call, document: ServiceDocuments.longestList, &attempts)
      do throws(ListingFault) {
        return try ListingPage(answer.document, of: prefix)
      } catch {
        // An answer without a length may have been cut on its way.
        try attempts.pause(
          after: ObjectStorageError(.malformed, prefix.description, error.reason))
      }
    }
  }
}

/// Objects with a prefix, asked for a page at a time.
public struct ObjectListing: Sendable {
  private let store: ObjectStore
  private let prefix: ObjectAddress
  private var page: [ObjectEntry] = []
  private var index = 0
  private var token: String?
  private var isBegun = false
  private var count = 0
  private var emptyPages = 0
  /// The tokens of this list: a server that goes round in circles would never end.
  private var seen: Set<String> = []

  /// Pages without an object, one after the other.
  private static let mostEmptyPages = 1000
  /// Tokens that are remembered.
  private static let mostTokens = 1000

  init(store: ObjectStore, prefix: ObjectAddress) {
    self.store = store
    self.prefix = prefix
  }

  /// The next object; `nil` at the end.
  ///
  /// - Throws: ``ObjectStorageError``, also for a list that does not end.
  public mutating func next() throws(ObjectStorageError) -> ObjectEntry? {
    while index == page.count {
      guard try fetch() else { return nil }
    }
    defer { index += 1 }
    return page[index]
  }

  /// The next objects, as many as the server sends at a time; none at the end.
  ///
  /// - Throws: ``ObjectStorageError``, also for a list that does not end.
  public mutating func nextPage() throws(ObjectStorageError) -> [ObjectEntry] {
    while index == page.count {
      guard try fetch() else { return [] }
    }
    defer { index = page.count }
    return Array(page[index...])
  }

  private mutating func fetch() throws(ObjectStorageError) -> Bool {
    guard !isBegun || token != nil else { return false }
    let next = try store.page(of: prefix, from: token)
    isBegun = true
    page = next.entries
    index = 0
    token = next.token
    count = count.addingClamped(page.count)
    emptyPages = page.isEmpty ? emptyPages + 1 : 0
    if let token {
      guard seen.insert(token).inserted, emptyPages < Self.mostEmptyPages else {
        throw fault(.malformed, "the list goes on without end")
      }
      if seen.count > Self.mostTokens { seen = [token] }
    }
    guard count <= store.limits.listed else {
      throw fault(.tooLarge, "the list has more than \(store.limits.listed) objects")
    }
    return true
  }

  private mutating func fault(_ kind: ObjectStorageError.Kind, _ reason: String)
    -> ObjectStorageError
  {
    token = nil
    return ObjectStorageError(kind, prefix.description, reason)
  }
}
