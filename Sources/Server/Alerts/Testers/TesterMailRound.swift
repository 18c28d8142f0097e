internal import CrashService
package import CrashStore
package import Identifiers
package import ServerStore
internal import Updates

/// One round of a server's mails to testers: it sends those that are due.
package struct TesterMailRound: Sendable {
  private let store: CrashStore
  private let server: ServerStore

  /// Seconds for which a mail is reserved for this round: more than an attempt can take.
  private static let lease: Int64 = 60
  /// Seconds after which a round starts no further attempt.
  private static let longest: Int64 = 60
  /// Failures in a row after which the rest is left for the next round: the mail server has a problem.
  private static let mostFailures = 3
  /// The maximum number of mails of a round.
  private static let most = 500

  package init(store: CrashStore, server: ServerStore) {
    self.store = store
    self.server = server
  }

  /// - Parameter isStopped: Asked before each mail: whether to leave the rest for later.
  /// - Throws: `DatabaseError`, `StoreError`.
  package func run(now: Timestamp, isStopped: () -> Bool = { false }) throws {
    let due = try store.distribution.dueMails(now: now, limit: Self.most)
    // Without a mail server, mails wait for one.
    guard !due.isEmpty, let mailing = try AlertsTable(in: server).testerMailing() else { return }
    let catalog = try store.distribution.catalog()
    let clock = RoundClock(start: now)
    var failures = 0
    for mail in due {
      guard !isStopped(), clock.elapsed < Self.longest, failures < Self.mostFailures else { return }
      failures = try attempt(mail, mailing, catalog, clock) ? 0 : failures + 1
    }
  }

  /// Tries a mail, or drops it.
  ///
  /// - Returns: Whether the next mail may succeed.
  private func attempt(
    _ mail: TesterMail, _ mailing: AlertsTable.TesterMailing, _ catalog: UpdateCatalog,
    _ clock: RoundClock
  ) throws -> Bool {
    let distribution = store.distribution
    let lease = Timestamp(seconds: clock.now.seconds + Self.lease)
    guard let mail = try distribution.begin(mail, next: lease) else { return true }
    let text: TesterMailText
    switch try content(of: mail, mailing, catalog) {
    case .success(let content): text = content
    case .failure(let nothing):
      try distribution.end(mail, .dropped, answer: nothing.reason, now: clock.now)
      return true
    }
    let outcome = MailAccount(mail: mailing.mail, authorities: mailing.target.authorities)
      .send(text.message(from: mailing.mail.sender), now: .now)
    let now = clock.now
    let isTooOld =
      mail.attempts >= AlertRound.bounds.leastTries
      && now.seconds - mail.created.seconds >= AlertRound.bounds.age
    if outcome.isSent {
      try distribution.end(mail, .sent, answer: outcome.answer, now: now)
    } else if outcome.isTemporary, mail.attempts < AlertRound.bounds.tries, !isTooOld {
      var random = SystemRandomNumberGenerator()
      let pause = Int64(AlertRound.pause(after: mail.attempts, using: &random))
      try distribution.end(
        mail, .waiting, answer: outcome.answer, next: Timestamp(seconds: now.seconds + pause),
        now: now)
    } else {
      try distribution.end(mail, .failed, answer: outcome.answer, now: now)
    }
    return outcome.isSent || !outcome.isTemporary
  }

  /// There is nothing left to say.
  private struct Nothing: Error {
    let reason: String
  }

  private func content(
    of mail: TesterMail, _ mailing: AlertsTable.TesterMailing, _ catalog: UpdateCatalog
  ) throws -> Result<TesterMailText, Nothing> {
    let code = try store.distribution.refusalCode(ofTester: mail.tester)
    guard try store.distribution.refusal(ofCode: code)?.isRefusing == false else {
      return .failure(Nothing(reason: "the tester wants no mail"))
    }
    var text = TesterMailText(
      mail: mail, url: mailing.url, refusal: mailing.url + "/install/mails/" + code)
    switch mail.kind {
    case .invitation:
      guard let invitation = try store.distribution.invitationCode(of: mail) else {
        return .failure(Nothing(reason: "the invitation was used or revoked, or has expired"))
      }
      text.invitation = mailing.url + "/install/invitations/" + invitation
    case .release:
      text.offers = Self.offers(of: mail, in: catalog)
      guard !text.offers.isEmpty else {
        return .failure(Nothing(reason: "the tester is not offered these releases"))
      }
    }
    return .success(text)
  }

  /// The files of a mail that the tester is offered now, the newest first.
  private static func offers(
    of mail: TesterMail, in catalog: UpdateCatalog
  ) -> [TesterMailText.Offer] {
    guard let updates = catalog.apps[mail.app] else { return [] }
    return updates.artefacts.compactMap { artefact in
      // An app bundle is for stores and can't be installed on a device.
      guard mail.artefacts.contains(artefact.number), artefact.package.kind != .aab else {
        return nil
      }
      if updates.destination(of: artefact, for: .tester(mail.tester)) != nil,
        updates.isRolledOut(artefact.release, to: mail.tester)
      {
        return TesterMailText.Offer(artefact: artefact, isPublic: false)
      }
      if updates.destination(of: artefact, for: .anyone) != nil,
        updates.isRolledOut(artefact.release, to: nil)
      {
        return TesterMailText.Offer(artefact: artefact, isPublic: true)
      }
      return nil
    }
  }
}
