internal import Bytes
internal import CrashService
package import HTTP
internal import Identifiers
internal import JSON
package import ServerCore
internal import Updates

/// `/lookup?id=` and `/lookup?bundleId=`: the lookup that update checkers for Apple's store use.
///
/// Some clients decode every key that Apple sends, so all are present, with plausible values for unknown
/// ones. Other parameters (`country`, `lang`, `entity`, `limit`) are ignored.
///
/// Source: ArtSabintsev/Siren, APIModel.swift; Apple's own responses.
package struct LookUpEndpoint: Sendable {
  package let context: ServerContext
  private let listings = StoreListings()

  /// The maximum number of apps in a request.
  private static let mostApps = 50
  /// Seconds for which a response may be cached.
  private static let lifetime = 60

  package init(context: ServerContext) {
    self.context = context
  }

  package func answer(_ request: Request) -> Response {
    let found = listings(for: request.query)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("resultCount", found.count)
    writer.key("results")
    writer.beginArray()
    for listing in found { write(listing, request.head, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.newLine()
    return .json(
      writer.takeBytes(),
      headers: [
        "Cache-Control": "public, max-age=\(Self.lifetime)", "X-Content-Type-Options": "nosniff",
      ])
  }

  /// Returns the listings. Numbers come before identifiers, as with Apple; commas separate several.
  private func listings(for query: QueryItems) -> [StoreListing] {
    let catalog = context.updates.catalog
    func asked(_ name: String) -> [Substring]? {
      query[name].map { $0.split(separator: ",").prefix(Self.mostApps) }.map { Array($0) }
    }
    var found: [StoreListing] = []
    if let numbers = asked("id") {
      for number in numbers.compactMap({ Int($0) }) {
        guard let listing = listings.listing(ofTrackID: number, in: catalog) else { continue }
        if !found.contains(where: { $0.app == listing.app }) { found.append(listing) }
      }
    } else {
      for identifier in asked("bundleId") ?? [] {
        guard
          let listing = listings.listing(ofIdentifier: String(identifier), in: catalog),
          !found.contains(where: {
            $0.artefact.number == listing.artefact.number && $0.app == listing.app
          })
        else { continue }
        found.append(listing)
      }
    }
    return found
  }

  private func write(
    _ listing: StoreListing, _ head: RequestHead, to writer: inout JSONWriter
  ) {
    let package = listing.artefact.package
    let isMac = listing.artefact.platform == .macOS
    let name = package.name ?? listing.app
    let installPage = InstallPage.address(ofApp: listing.app, for: head)
    let picture =
      listing.artefact.icon == nil
      ? installPage
      : context.downloads.address(
        of: .icon, of: listing.artefact, for: .anyone, at: head.origin, now: .now)
    writer.beginObject()
    writer.member("wrapperType", "software")
    writer.member("kind", isMac ? "mac-software" : "software")
    writer.member("trackId", listing.trackID)
    writer.member("bundleId", package.identifier ?? listing.app)
    writer.member("trackName", name)
    writer.member("trackCensoredName", name)
    writer.member("trackViewUrl", listing.address ?? installPage)
    writer.member("version", listing.version.description)
    writer.member("minimumOsVersion", package.minimumOS ?? (isMac ? "10.13" : "9.0"))
    writer.member("currentVersionReleaseDate", Self.date(listing.artefact.uploaded))
    writer.member("releaseDate", Self.date(listing.firstReleased))
    writer.member("releaseNotes", listing.artefact.notes)
    writer.member("fileSizeBytes", String(listing.artefact.size))
    writer.member("description", name)
    writer.member("artistId", 1)
    for key in ["artistName", "sellerName"] { writer.member(key, listing.app) }
    for key in ["artistViewUrl", "sellerUrl"] { writer.member(key, installPage) }
    writer.member("price", 0.0)
    writer.member("formattedPrice", "Free")
    writer.member("currency", "USD")
    writer.member("primaryGenreName", "Utilities")
    writer.member("primaryGenreId", 6002)
    writer.member("genres", ["Utilities"])
    writer.member("genreIds", ["6002"])
    for key in [
      "supportedDevices", "features", "advisories", "screenshotUrls", "ipadScreenshotUrls",
      "appletvScreenshotUrls",
    ] { writer.member(key, []) }
    writer.member("languageCodesISO2A", ["EN"])
    for size in [60, 100, 512] { writer.member("artworkUrl\(size)", picture) }
    for key in ["trackContentRating", "contentAdvisoryRating"] { writer.member(key, "4+") }
    for key in ["averageUserRating", "averageUserRatingForCurrentVersion"] {
      writer.member(key, 0.0)
    }
    for key in ["userRatingCount", "userRatingCountForCurrentVersion"] { writer.member(key, 0) }
    for key in ["isGameCenterEnabled", "isVppDeviceBasedLicensingEnabled"] {
      writer.member(key, false)
    }
    writer.endObject()
  }

  /// Returns a date without fractions of seconds, which clients can't parse.
  private static func date(_ time: Timestamp) -> String {
    Timestamp(seconds: time.seconds).description
  }
}
