internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
package import ServerCore
internal import Updates

/// The check for updates: a small request each time a user opens an app.
///
/// It is answered from memory on the network thread, with bytes that are kept as long as the catalog stays as
/// it is. Only requests that need a write or a new lookup are
/// handled like all others.
package struct LatestReleaseEndpoint: Sendable {
  private let context: ServerContext
  /// Update tokens that were not found, so that made-up ones cost nothing.
  private let unknown = RecentAnswers<Bool>(lifetime: 2, limit: 4_096)
  /// Whether the secrets of apps without releases are known at all.
  private let strangers = RecentAnswers<Bool>(lifetime: 10, limit: 4_096)

  package init(context: ServerContext) { self.context = context }

  // MARK: Adding the routes

  package func add(to router: inout Router, below prefix: String) {
    let apps = prefix + "/public/sdk/apps/:secret"
    add(apps + "/releases/latest", .ignored, to: &router) { $0.newest() }
    add(prefix + "/sdk/apps/:secret/releases/private/latest", .needed, to: &router) { $0.newest() }
    // SDKs before 3.0.
    add(prefix + "/sdk/apps/:secret/releases/latest", .optional, to: &router) { $0.newest() }
    add(apps + "/distribution_groups/:group/releases/latest", .ignored, to: &router) {
      $0.ofGroup($0.head.parameters["group"] ?? "").newest()
    }
    router.get(prefix + "/sdk/apps/:secret/releases/:hash") { release(ofHash: $0.head) }
    router.get(apps + "/releases/:hash/public_distribution_groups") { groups(ofHash: $0.head) }
  }

  private func add(
    _ pattern: String, _ policy: UpdateClient.TokenPolicy, to router: inout Router,
    _ find: @escaping @Sendable (UpdateClient) -> AppUpdates.Offer?
  ) {
    router.add(
      "GET", pattern, isAnonymous: true,
      quick: { head in
        guard InstallReport(head) == nil else { return nil }
        return answerFromMemory(head, policy, find)
      }
    ) { request in
      if let refusal = try count(request.head, policy) { return refusal }
      // The tester may have just signed in at another server with the same home.
      try context.updates.refresh()
      let state = context.updates.state
      switch UpdateClient.of(request.head, in: state.catalog, token: policy) {
      case .success(let client): return sent(answer(client, find, in: state))
      case .failure(let refused): return try answer(refused.refusal, to: request.head)
      }
    }
  }

  private func client(
    of head: RequestHead, _ policy: UpdateClient.TokenPolicy
  ) -> Result<UpdateClient, UpdateClient.Refused> {
    UpdateClient.of(head, in: context.updates.catalog, token: policy)
  }

  private func answerFromMemory(
    _ head: RequestHead, _ policy: UpdateClient.TokenPolicy,
    _ find: (UpdateClient) -> AppUpdates.Offer?
  ) -> Response? {
    let state = context.updates.state
    let question = UpdateAnswers.Question(
      head, token: UpdateClient.updateToken(in: head, policy), now: .now)
    if let answer = state.answers.answer(to: question) { return sent(answer) }
    switch UpdateClient.of(head, in: state.catalog, token: policy) {
    case .success(let client):
      let answer = answer(client, find, in: state)
      if !client.updates.isRollingOut { state.answers.keep(answer, to: question) }
      return sent(answer)
    case .failure(let refused):
      switch refused.refusal {
      case .unknownToken:
        guard let token = head.headers["x-api-token"], unknown.answer(to: token) == nil else {
          break
        }
        return nil
      case .unknownApp:
        guard let isKnown = strangers.answer(to: UpdateClient.secret(of: head)) else { return nil }
        return (isKnown ? DistributeRefusal.noRelease : .unknownApp).response
      default: break
      }
      return refused.refusal.response
    }
  }

  /// Checks a refusal again: an app with crashes only has no releases, and its clients must not forget their
  /// state because of that.
  private func answer(_ refusal: DistributeRefusal, to head: RequestHead) throws -> Response {
    switch refusal {
    case .unknownToken:
      if let token = head.headers["x-api-token"] { unknown.keep(true, for: token) }
      return refusal.response
    case .unknownApp:
      let secret = UpdateClient.secret(of: head)
      let isKnown = try context.store.apps.knowledge(ofSecret: secret) != .none
      strangers.keep(isKnown, for: secret)
      return (isKnown ? DistributeRefusal.noRelease : .unknownApp).response
    default: return refusal.response
    }
  }

  private func answer(
    _ client: UpdateClient, _ find: (UpdateClient) -> AppUpdates.Offer?,
    in state: UpdateCatalogs.State
  ) -> UpdateAnswers.Answer {
    let offer = find(client)
    var tester: String?
    if case .tester(let id) = client.audience { tester = id }
    return UpdateAnswers.Answer(
      offer.map { response(with: $0, to: client, isLatest: true, in: state) }
        ?? DistributeRefusal.noRelease.response,
      app: client.updates.app, tester: tester, fix: offer?.fix == nil ? nil : offer)
  }

  /// Counts an answer that is sent.
  private func sent(_ answer: UpdateAnswers.Answer) -> Response {
    if let tester = answer.tester { context.sightings.note(tester, of: answer.app, at: .now) }
    if let offer = answer.fix { context.fixes.count(offer, .check) }
    return answer.response
  }

  private func response(
    with offer: AppUpdates.Offer, to client: UpdateClient, isLatest: Bool,
    in state: UpdateCatalogs.State
  ) -> Response {
    let base = MountPoint.base(of: client.head)
    let now = Timestamp.now
    let description = UpdateAnswers.Description(
      of: offer, app: client.updates.app, for: client.reader, base: base, isLatest: isLatest,
      now: now)
    return state.answers.response(of: description) {
      var details = ReleaseDetails(offer, of: client.updates, for: client.reader)
      details.isLatest = isLatest
      var writer = JSONWriter()
      writer.beginObject()
      details.write(to: &writer, links: context.downloads, origin: base, now: now)
      writer.endObject()
      return .json(writer.takeBytes())
    }
  }

  // MARK: Installations

  /// Counts what the first check of an updated app reports.
  ///
  /// - Returns: A refusal if it can't be counted now: the SDK repeats the report until it succeeds.
  private func count(_ head: RequestHead, _ policy: UpdateClient.TokenPolicy) throws -> Response? {
    guard let report = InstallReport(head),
      case .success(let client) = client(of: head, policy)
    else { return nil }
    let install: String
    switch client.audience {
    case .tester(let id): install = report.install ?? id
    case .anyone:
      // Anyone can make up numbers; without an id installations can't be distinguished.
      guard let own = report.install else { return nil }
      install = own
    }
    if let wait = context.wait(for: head, app: client.updates.app, isPublic: true) {
      return .problem(
        .tooManyRequests, "too many reports from this address", headers: ["Retry-After": "\(wait)"])
    }
    try context.store.distribution.countInstall(
      of: report.release, app: client.updates.app, install: install, group: report.group)
    return nil
  }

  // MARK: By the hash of a build

  private func release(ofHash head: RequestHead) -> Response {
    let state = context.updates.state
    switch UpdateClient.of(head, in: state.catalog, token: .optional) {
    case .failure(let refused): return refused.refusal.response
    case .success(let client):
      let hash = (head.parameters["hash"] ?? "").lowercased()
      for artefact in client.updates.artefacts where artefact.package.hashes.contains(hash) {
        guard let found = client.updates.destination(of: artefact, for: client.audience) else {
          continue
        }
        return response(
          with: AppUpdates.Offer(artefact: artefact, destination: found), to: client,
          isLatest: client.newest()?.artefact.number == artefact.number, in: state)
      }
      return DistributeRefusal.noReleaseOfHash.response
    }
  }

  private func groups(ofHash head: RequestHead) -> Response {
    switch client(of: head, .ignored) {
    case .failure(let refused): return refused.refusal.response
    case .success(let client):
      let hash = (head.parameters["hash"] ?? "").lowercased()
      let artefacts = client.updates.artefacts.filter { $0.package.hashes.contains(hash) }
      guard !artefacts.isEmpty else { return DistributeRefusal.noReleaseOfHash.response }
      let named = Set(artefacts.flatMap(\.destinations).map(\.id))
      let groups = client.updates.groups.values.filter { $0.isPublic && named.contains($0.id) }
      return .list(groups.sorted { ($0.name, $0.id) < ($1.name, $1.id) }) { writer, group in
        writer.beginObject()
        writer.member("id", group.id)
        writer.endObject()
      }
    }
  }
}

/// The parameters of the first check after an update: the release that the SDK downloaded and that now runs.
struct InstallReport {
  let release: Int
  /// The id of the installation, in one spelling; SDKs send it on the public track only.
  let install: String?
  /// The group it came from; empty if the SDK doesn't know it and sends `null`.
  let group: String

  init?(_ head: RequestHead) {
    guard let release = head.query["downloaded_release_id"].flatMap({ Int($0) }), release > 0
    else { return nil }
    self.release = release
    func id(_ name: String) -> String? {
      head.query[name].flatMap { UUIDText.isUUID($0) ? $0.lowercased() : nil }
    }
    install = id("install_id")
    group = id("distribution_group_id") ?? ""
  }
}
