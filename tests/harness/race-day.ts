/** A race that is on today, wherever the test runs and whatever the hour: in the time zone where it is about noon. */

export function raceDayNow(now = new Date()): { date: string; timeZone: string } {
  const ahead = 12 - now.getUTCHours();
  // In these names the sign says how far behind Greenwich a zone is.
  const timeZone = ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  return { date: new Date(now.getTime() + ahead * 3_600_000).toISOString().slice(0, 10), timeZone };
}
