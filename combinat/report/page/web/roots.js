// Square roots of fractions, rounded to decimals without a float.

// The largest whole number whose square is not more.
function wholeRoot(square) {
  if (square < 2n) return square;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (let next = (root + square / root) / 2n; next < root; next = (root + square / root) / 2n) root = next;
  return root;
}

// The root with so many decimals, rounded once, half to even: a half is exact only where the root is.
export function rootText(square, places) {
  const scale = 10n ** BigInt(places);
  const scaled = square.numerator * scale * scale;
  let units = wholeRoot(scaled / square.denominator);
  const half = (2n * units + 1n) ** 2n * square.denominator - 4n * scaled;
  if (half < 0n || (half === 0n && units % 2n)) units += 1n;
  const digits = `${units}`.padStart(places + 1, "0");
  return places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
}
