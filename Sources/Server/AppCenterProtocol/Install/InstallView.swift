internal import CrashService
internal import HTTP
internal import Identifiers
internal import QRCodes
internal import Rendering
internal import ServerCore
internal import Updates

/// The page from which a user installs an app, for one device.
struct InstallView {
  let releases: InstallReleases
  let device: InstallDevice
  let downloads: DownloadLinks
  let head: RequestHead
  /// The path of the page below the server's own: `/install/apps/Tern`.
  let page: String
  private let base: String
  private let now = Timestamp.now

  init(
    _ releases: InstallReleases, on device: InstallDevice, _ downloads: DownloadLinks,
    _ head: RequestHead, page: String
  ) {
    self.releases = releases
    self.device = device
    self.downloads = downloads
    self.head = head
    self.page = page
    base = MountPoint.base(of: head)
  }

  private typealias Offer = InstallReleases.Offer

  /// The page of the newest releases.
  var newest: TesterPage {
    let offers = device.shown.compactMap { releases.newest(on: $0) }
    return view(offers, others: offers.flatMap { releases.older(than: $0) })
  }

  /// The page of one release.
  func only(_ offer: InstallReleases.Offer) -> TesterPage {
    view(device.shown.contains(offer.artefact.platform) ? [offer] : [], others: [])
  }

  private func view(_ offers: [Offer], others: [Offer]) -> TesterPage {
    // The code comes before what is for other devices.
    let own = offers.prefix { device.isHandheld || $0.artefact.platform == device.platform }
    let title = offers.first?.artefact.package.name ?? releases.updates.app
    return TesterPage(
      title.isEmpty ? releases.updates.app : title,
      """
      \(offers.isEmpty ? nothing : .none)
      \(own.map(section))
      \(device == .mac && !offers.contains { $0.artefact.platform == .iOS } ? noneForTablet : .none)
      \(device.isHandheld ? .none : code)
      \(offers.dropFirst(own.count).map(section))
      \(older(others))
      """)
  }

  /// Says for which systems there are releases, none of which is for this device.
  private var nothing: HTML {
    let names = ArtefactPlatform.allCases.filter { releases.newest(on: $0) != nil }.map(\.text)
    return """
      <p>There is no release for this device, only for \(names.joined(separator: ", ")). Open this page there.</p>
      """
  }

  private var noneForTablet: HTML {
    "<p class=\"touch\">There is no release for iOS. Open this page on another device.</p>"
  }

  // MARK: A release

  private func section(_ offer: Offer) -> HTML {
    let artefact = offer.artefact
    let notes: HTML =
      artefact.notes.isEmpty
      ? .none
      : "<h3>What's new</h3><div class=\"notes\">\(HTML(markdown: artefact.notes, headingsFrom: 4))</div>"
    // A Mac with a touch screen is an iPad, which has no use for files of other systems.
    let start: HTML =
      device == .mac && artefact.platform != .iOS ? "<section class=\"no-touch\">" : "<section>"
    return """
      \(start)\(icon(offer))<h2>\(artefact.platform == .other ? "Any system" : artefact.platform.rawValue)</h2>
      <p class="quiet">Version \(artefact.release.version)\(build(artefact)), \
      <time datetime="\(artefact.uploaded.description)">\(GroupText.day(artefact.uploaded))</time></p>
      <p class="quiet">\(facts(artefact).joined(separator: " · "))</p>
      \(notes)\(buttons(offer))</section>
      """
  }

  private func build(_ artefact: Artefact) -> String {
    artefact.release.build.isEmpty ? "" : " (\(artefact.release.build))"
  }

  private func icon(_ offer: Offer) -> HTML {
    guard offer.artefact.icon != nil else {
      let name = offer.artefact.package.name ?? releases.updates.app
      let initial = name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "?"
      return "<span class=\"icon\" aria-hidden=\"true\">\(initial)</span>"
    }
    return "<img src=\"\(address: address(.icon, of: offer))\" alt=\"\">"
  }

  private func facts(_ artefact: Artefact) -> [String] {
    [DebugFileList.size(artefact.size)]
      + (artefact.package.minimumOS.map { [Self.system(artefact.platform, from: $0)] } ?? [])
  }

  /// Names the oldest system: Android's level of API by the version that users know.
  static func system(_ platform: ArtefactPlatform, from minimum: String) -> String {
    guard platform == .android else { return "\(platform.text) \(minimum) or later" }
    guard let version = Int(minimum).flatMap({ androidVersions[$0] }) else {
      return "Android API level \(minimum) or later"
    }
    return "Android \(version) or later"
  }

  /// Versions of Android by their level of API.
  ///
  /// Source: Android's documentation, `<uses-sdk>`.
  private static let androidVersions = [
    14: "4.0", 15: "4.0.3", 16: "4.1", 17: "4.2", 18: "4.3", 19: "4.4", 20: "4.4W", 21: "5.0",
    22: "5.1", 23: "6.0", 24: "7.0", 25: "7.1", 26: "8.0", 27: "8.1", 28: "9", 29: "10", 30: "11",
    31: "12", 32: "12L", 33: "13", 34: "14", 35: "15", 36: "16",
  ]

  // MARK: Buttons

  private func address(_ file: DownloadLinks.LinkedFile, of offer: Offer) -> String {
    downloads.address(of: file, of: offer.artefact, for: offer.reader, at: base, now: now)
  }

  private func buttons(_ offer: Offer) -> HTML {
    let platform = offer.artefact.platform
    if platform == device.platform || device == .unknown { return install(offer) }
    let file: HTML = """
      <p><a class="button plain" href="\(address: address(.file, of: offer))">Download \
      \(offer.artefact.fileName)</a></p>
      """
    guard platform == device.disguised else { return file }
    return "<div class=\"touch\">\(install(offer))</div><div class=\"no-touch\">\(file)</div>"
  }

  private func install(_ offer: Offer) -> HTML {
    let artefact = offer.artefact
    let details = ReleaseDetails(
      artefact, destination: offer.destination, of: releases.updates, for: offer.reader,
      isLatest: true)
    let word: HTML = [.iOS, .android].contains(artefact.platform) ? "Install" : "Download"
    let button: HTML = """
      <p><a class="button" href="\(address: details.installation(downloads, base, now))">\(word)</a></p>
      """
    guard artefact.platform == .iOS else { return button }
    let insecure: HTML =
      base.hasPrefix("https://")
      ? .none : "<p role=\"alert\">iOS installs over https only, and this page came over http.</p>"
    let profile: HTML =
      artefact.package.provisioning?.kind == .adhoc
      ? """
      <p class="quiet">Only devices that the developer registered for this build can install it.</p>
      """ : .none
    return "\(insecure)\(button)\(profile)"
  }

  // MARK: Besides

  /// The address of the page for a phone's camera. Without the library that draws it, the address alone.
  private var code: HTML {
    let address = base + page
    let picture: HTML =
      (try? QRCode(of: address)).map { code in
        let side = code.size + 2 * QRCode.margin
        return """
          <svg class="code" viewBox="0 0 \(side) \(side)" role="img" \
          aria-label="QR code of this page's address" shape-rendering="crispEdges">\
          <rect width="\(side)" height="\(side)" fill="#fff"/>\
          <path d="\(HTML(stringLiteral: code.path))" fill="#000"/></svg>
          """
      } ?? .none
    let start: HTML = device == .mac ? "<section class=\"no-touch\">" : "<section>"
    return """
      \(start)<h2>On a phone</h2>\(picture)
      <p class="quiet">Open this page there: <a href="\(address: address)">\(address)</a></p></section>
      """
  }

  private func older(_ offers: [Offer]) -> HTML {
    guard !offers.isEmpty else { return .none }
    return """
      <details><summary>Older releases</summary>
      \(offers.map { "<section>\(entry($0))</section>" })
      </details>
      """
  }

  private func entry(_ offer: Offer) -> HTML {
    let artefact = offer.artefact
    let path = MountPoint.path(of: head) + page + "/releases/\(artefact.number)"
    return """
      <h2><a href="\(address: path)">\(artefact.release.version)\(build(artefact))</a></h2>
      <p class="quiet">\(artefact.platform.text), \(GroupText.day(artefact.uploaded)), \
      \(DebugFileList.size(artefact.size))</p>
      """
  }
}
