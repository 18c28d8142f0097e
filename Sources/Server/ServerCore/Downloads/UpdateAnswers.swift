internal import Bytes
package import HTTP
package import Identifiers
internal import Synchronization
package import Updates

/// Answers to checks for updates, ready to be sent. They are made from one catalog, and gone with it.
package final class UpdateAnswers: Sendable {
  /// All of a check that its answer depends on, besides the catalog, and besides the installation while a
  /// release is rolled out in part: see ``AppUpdates/isRollingOut``.
  package struct Question: Hashable, Sendable {
    let path: String
    let releaseHash: String?
    let isInstallPage: String?
    let agent: String?
    let host: String?
    let isSecure: Bool
    let publicAddress: String?
    let token: String?
    let period: Int?

    /// - Parameters:
    ///   - token: The update token, where the route looks at it.
    ///   - now: The time of the check: the addresses in answers to testers change with it.
    package init(_ head: RequestHead, token: String?, now: @autoclosure () -> Timestamp) {
      path = head.path
      releaseHash = head.query["release_hash"]
      isInstallPage = head.query["is_install_page"]
      agent = head.headers["User-Agent"]
      host = head.headers["Host"]
      isSecure = head.isSecure
      publicAddress = head.publicAddress
      self.token = token
      period = token == nil ? nil : DownloadLinks.period(at: now())
    }

    fileprivate var size: Int {
      [releaseHash, isInstallPage, agent, host, token].reduce(path.utf8.count) {
        $0 + ($1?.utf8.count ?? 0)
      }
    }
  }

  /// A release as it is described to its reader.
  package struct Description: Hashable, Sendable {
    let artefact: Int
    let destination: Artefact.Destination
    let app: String
    let reader: DownloadLinks.Reader
    let period: Int?
    let base: String
    let isLatest: Bool

    /// - Parameters:
    ///   - base: What the addresses in it begin with.
    ///   - now: The time at which those of testers are made.
    package init(
      of offer: AppUpdates.Offer, app: String, for reader: DownloadLinks.Reader, base: String,
      isLatest: Bool, now: Timestamp
    ) {
      artefact = offer.artefact.number
      destination = offer.destination
      self.app = app
      self.reader = reader
      period = reader == .anyone ? nil : DownloadLinks.period(at: now)
      self.base = base
      self.isLatest = isLatest
    }

    fileprivate var size: Int { base.utf8.count }
  }

  package struct Answer: Sendable {
    package let response: Response
    /// The app whose checks are counted, each time it is sent.
    package let app: String
    package let tester: String?
    package let fix: AppUpdates.Offer?

    package init(_ response: Response, app: String, tester: String?, fix: AppUpdates.Offer?) {
      self.response = response
      self.app = app
      self.tester = tester
      self.fix = fix
    }
  }

  private struct Kept {
    var answers: [Question: Answer] = [:]
    var descriptions: [Description: Response] = [:]
    var bytes = 0

    /// Makes room: clients choose most of a question.
    mutating func makeRoom(for size: Int) {
      bytes += size + UpdateAnswers.each
      guard bytes > UpdateAnswers.most else { return }
      self = Kept()
      bytes = size + UpdateAnswers.each
    }
  }

  /// Bytes of all that is kept, and of one question or answer beside its texts, nearly.
  private static let most = 8 << 20
  private static let each = 512
  /// Questions with more bytes are made up.
  private static let longest = 2_048

  private let kept = Mutex(Kept())

  package init() {}

  package func answer(to question: Question) -> Answer? {
    kept.withLock { $0.answers[question] }
  }

  package func keep(_ answer: Answer, to question: Question) {
    let size = question.size
    guard size <= Self.longest else { return }
    kept.withLock { kept in
      kept.makeRoom(for: size)
      kept.answers[question] = answer
    }
  }

  /// Returns a description that is kept, or else what `make` returns, which is kept.
  package func response(of description: Description, _ make: () -> Response) -> Response {
    if let found = kept.withLock({ $0.descriptions[description] }) { return found }
    let made = make()
    guard description.size <= Self.longest, case .bytes(let bytes) = made.content else {
      return made
    }
    kept.withLock { kept in
      kept.makeRoom(for: description.size + bytes.count)
      kept.descriptions[description] = made
    }
    return made
  }

  /// Questions and descriptions that are kept.
  var count: Int { kept.withLock { $0.answers.count + $0.descriptions.count } }
}
